import { assert, describe, it } from "@effect/vitest"
import { whyLost, whyReplaced, whyShortened } from "../../../core/csv/versions.ts"
import { whyContradictsResults } from "../../../core/lanes/football/data/consistency.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const { integer } = xoshiro128(7)
const next = (): number => integer(1_000_000) / 1_000_000
const noise = (): number => next() + next() + next() - 1.5

describe("a new version of a file", () => {
  it("may lose a tenth of its rows or two, not more", () => {
    assert.isUndefined(whyShortened(100, 90))
    assert.match(whyShortened(100, 89)!, /it has 89 rows and had 100/)
    assert.isUndefined(whyShortened(6, 4))
    assert.isDefined(whyShortened(6, 3))
  })

  it("may not lose a period that it had", () => {
    assert.isUndefined(whyLost("week", [1, 2], new Set([1, 2, 3])))
    assert.strictEqual(whyLost("week", [1, 2, 3], new Set([1]), " of 2024"), "it has lost weeks 2 and 3 of 2024")
  })

  const rows = Array.from({ length: 60 }, (_, at) => ({ epa: 10 * noise(), kickoff: at % 2 === 0 ? "13:00" : "16:25" }))
  const pairsWith = (change: (row: (typeof rows)[number], at: number) => Partial<(typeof rows)[number]>) =>
    rows.map((row, at) => [row, { ...row, ...change(row, at) }] as const)

  it("may compute its figures anew, which come to nearly the same", () => {
    assert.isUndefined(
      whyReplaced(
        ["epa", "kickoff"],
        pairsWith(({ epa }) => ({ epa: 1.05 * epa + 0.1 * noise() })),
      ),
    )
  })

  it("may not have the figures of other rows, or times of another zone", () => {
    const shifted = pairsWith((_, at) => ({ epa: rows[(at + 1) % rows.length]!.epa }))
    assert.match(whyReplaced(["kickoff", "epa"], shifted)!, /^epa differs/)
    const moved = pairsWith(({ kickoff }) => ({ kickoff: kickoff === "13:00" ? "18:00" : "21:25" }))
    assert.match(whyReplaced(["epa", "kickoff"], moved)!, /^kickoff differs/)
    assert.isUndefined(
      whyReplaced(
        ["kickoff"],
        pairsWith(({ kickoff }, at) => ({ kickoff: at < 6 ? "20:15" : kickoff })),
      ),
    )
  })
})

describe("expected points of a season", () => {
  const games = Array.from({ length: 200 }, () => {
    const strength = 12 * noise()
    return [strength, strength + 3 * noise()] as const
  })

  it("agree with the margins of their games", () => {
    assert.isUndefined(whyContradictsResults(games))
    assert.isUndefined(whyContradictsResults(games.slice(0, 10).map(([epa, margin]) => [-epa, margin] as const)))
  })

  it("do not when they are of other games", () => {
    const shifted = games.map(([, margin], at) => [games[(at + 1) % games.length]![0], margin] as const)
    assert.match(whyContradictsResults(shifted)!, /contradict the results of 200 games/)
  })
})

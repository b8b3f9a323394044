import { assert, describe, it } from "@effect/vitest"
import type { Contract } from "../../../core/contracts/Contract.ts"
import { type Distribution, scoreContracts } from "../../../core/contracts/finalScore.ts"
import { contract } from "../../support/contracts.ts"

const teams = new Set(["NYY", "BOS", "DET"])
const { findFixture, scoreRules, span } = scoreContracts({ WIN: "winner", SPREAD: "margin", TOTAL: "total" }, (code) =>
  teams.has(code),
)

const on = (series: string, ending: string, terms: Partial<Contract> = {}): Contract =>
  contract({ series, event: `${series}-26SEP09NYYBOS`, ticker: `${series}-26SEP09NYYBOS${ending}`, ...terms })

const above = (floorStrike: number) => ({ strikeType: "greater", floorStrike })
const margins: Distribution = { from: -2, pmf: [0.1, 0.2, 0.05, 0.25, 0.4] }
const totals: Distribution = { from: 7, pmf: [0.3, 0.3, 0.4] }
const output = { win_prob_home: 0.6, margin_distribution: margins, total_distribution: totals }

const winner = (team: string) => on("WIN", `-${team}`)
const margin = (team: string, floor: number) => on("SPREAD", `-${team}2`, above(floor))
const total = (floor: number) => on("TOTAL", "-8", above(floor))

describe("a contract on a game's score", () => {
  it("is of the game in its ticker", () => {
    const game = { day: "2026-09-09", away: "NYY", home: "BOS" }
    for (const one of [winner("NYY"), winner("BOS"), margin("BOS", 1.5), total(8.5)])
      assert.deepInclude(findFixture(one)!, game)
  })

  it("is not known of another series, another event, a team that does not play, or an ending of another form", () => {
    for (const one of [
      on("OTHER", "-NYY"),
      on("constructor", "-NYY"),
      contract({ series: "WIN", event: "WIN-26SEP09NYYBOS", ticker: "WIN-26SEP10NYYBOS-NYY" }),
      winner("DET"),
      on("WIN", "-NYY2"),
      on("SPREAD", "-NYY"),
      on("TOTAL", "-NYY8"),
      on("TOTAL", "-8X"),
    ]) {
      assert.isUndefined(findFixture(one), one.ticker)
      assert.isUndefined(scoreRules.probability(one, output), one.ticker)
      assert.isUndefined(scoreRules.isYes(one, { home: 1, away: 0 }), one.ticker)
      assert.isUndefined(span(one, "total"), one.ticker)
    }
  })

  it("on the winner has the side's probability, and a result unless nobody won", () => {
    assert.strictEqual(scoreRules.probability(winner("BOS"), output), 0.6)
    assert.strictEqual(scoreRules.probability(winner("NYY"), output), 0.4)
    assert.isTrue(scoreRules.isYes(winner("BOS"), { home: 4, away: 3 }))
    assert.isFalse(scoreRules.isYes(winner("BOS"), { home: 3, away: 4 }))
    assert.isFalse(scoreRules.isYes(winner("NYY"), { home: 4, away: 3 }))
    assert.isTrue(scoreRules.isYes(winner("NYY"), { home: 3, away: 4 }))
    for (const team of ["NYY", "BOS"]) assert.isUndefined(scoreRules.isYes(winner(team), { home: 3, away: 3 }))
  })

  it("on the margin counts from the side of its team, a margin on the strike by the strike's terms", () => {
    const at = (team: string, floor: number) => scoreRules.probability(margin(team, floor), output)
    assert.approximately(at("BOS", 0.5)!, 0.65, 1e-12)
    assert.approximately(at("BOS", 1)!, 0.4, 1e-12)
    assert.approximately(at("NYY", 0.5)!, 0.3, 1e-12)
    assert.approximately(at("NYY", 1)!, 0.1, 1e-12)
    assert.strictEqual(at("BOS", 2), 0)
    const happened = (team: string, home: number, away: number) => scoreRules.isYes(margin(team, 1.5), { home, away })
    assert.deepStrictEqual(
      [happened("BOS", 5, 3), happened("BOS", 5, 4), happened("NYY", 3, 5), happened("NYY", 5, 3)],
      [true, false, true, false],
    )
  })

  it("on the total counts the points of both", () => {
    assert.approximately(scoreRules.probability(total(7.5), output)!, 0.7, 1e-12)
    assert.approximately(scoreRules.probability(total(8), output)!, 0.4, 1e-12)
    assert.isTrue(scoreRules.isYes(total(8.5), { home: 5, away: 4 }))
    assert.isFalse(scoreRules.isYes(total(8.5), { home: 4, away: 4 }))
  })

  it("has no probability by a signal that knows the winner alone, nor on terms that are not understood", () => {
    assert.isUndefined(scoreRules.probability(margin("BOS", 1.5), { win_prob_home: 0.6 }))
    assert.isUndefined(scoreRules.probability(total(8.5), { win_prob_home: 0.6 }))
    for (const one of [
      on("TOTAL", "-8", { strikeType: "sideways" }),
      on("SPREAD", "-BOS2", { strikeType: "sideways" }),
    ]) {
      assert.isUndefined(scoreRules.probability(one, output))
      assert.isUndefined(scoreRules.isYes(one, { home: 5, away: 3 }))
    }
  })

  it("pays on a span of margins of home minus away, or of totals; one on the winner on none", () => {
    const infinity = Number.POSITIVE_INFINITY
    assert.deepStrictEqual(span(margin("BOS", 1.5), "margin"), { from: 2, to: infinity })
    assert.deepStrictEqual(span(margin("NYY", 1.5), "margin"), { from: -infinity, to: -2 })
    assert.deepStrictEqual(span(total(8.5), "total"), { from: 9, to: infinity })
    assert.isUndefined(span(margin("BOS", 1.5), "total"))
    assert.isUndefined(span(total(8.5), "margin"))
    assert.isUndefined(span(winner("BOS"), "margin"))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { divided, month, thirds } from "../../../../bench/open/compare/divisions.ts"
import { between, byHour, partLabel } from "../../../../core/record/scoreboard/divisions.ts"

const ask = (id: string, day: string) => ({
  ...{ id, at: Date.parse(`${day}T13:20:00Z`), cluster: day, groups: ["all"], question: {}, outcome: 1 },
})

describe("questions divided", () => {
  it("are in the parts of their months, in the order of the year", () => {
    const cases = [ask("a", "2025-11-03"), ask("b", "2026-02-03"), ask("c", "2024-11-30")]
    const { groups, cases: labelled } = divided(cases, [], month)
    assert.deepStrictEqual(groups, ["February", "November"])
    assert.deepStrictEqual(
      labelled.map(({ id, groups: own }) => [id, ...own]),
      [
        ["a", "November"],
        ["b", "February"],
        ["c", "November"],
      ],
    )
  })

  it("may go by what contenders say, and are left out where these say nothing", () => {
    const served = { kind: "served" as const, name: "x", forecasts: new Map([["a", 7]]) }
    const { groups, cases } = divided(
      [ask("a", "2026-01-01"), ask("b", "2026-01-01")],
      [served],
      (_, forecast) =>
        ({ id }) => {
          const value = forecast("served", id)
          return value === undefined ? undefined : between(value, [1, 5], " points")
        },
    )
    assert.deepStrictEqual([groups, cases.map(({ id }) => id)], [["5 and more points"], ["a"]])
  })

  it("have a bound in the part above it", () => {
    assert.deepStrictEqual(between(0.99, [1, 5]), [0, "below 1"])
    assert.deepStrictEqual(between(1, [1, 5]), [1, "1 to 5"])
    assert.deepStrictEqual(between(5, [1, 5]), [2, "5 and more"])
    assert.deepStrictEqual(partLabel(byHour, Date.UTC(2026, 0, 1, 7, 59)), [7, "07:00 UTC"])
  })

  it("have as many in each third", () => {
    const values = [5, 1, 9, 2, 8, 4]
    const third = thirds(values)
    assert.deepStrictEqual(
      values.map((value) => third(value)[0]),
      [1, 0, 2, 0, 2, 1],
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { Comparison } from "../../../../bench/open/compare/compare.ts"
import { figure, signedFigure, table, verdict } from "../../../../bench/open/compare/table.ts"

describe("a figure", () => {
  it.each([
    [100, "100.0"],
    [99.994, "99.99"],
    [10, "10.00"],
    [9.9994, "9.999"],
    [1, "1.000"],
    [0.99994, "0.9999"],
    [0.01, "0.0100"],
    [0.0099994, "0.01000"],
    [0, "0.00000"],
    [Number.NaN, "–"],
    [Number.NEGATIVE_INFINITY, "–"],
  ])("of %d has the decimals that its size needs, also below zero: %s", (value, text) => {
    assert.strictEqual(figure(value), text)
    if (value > 0) assert.strictEqual(figure(-value), `-${text}`)
  })

  it("of a difference has a sign, unless it is 0", () => {
    assert.deepStrictEqual([2, 0, -2].map(signedFigure), ["+2.000", "0.00000", "-2.000"])
  })
})

describe("the verdict on a difference", () => {
  const of = (better: string | undefined) =>
    verdict({ of: "a", minus: "b", better, value: 0.1, low: -0.1, high: 0.3, standardError: 0.1 })

  it("is for the first, for the other, or for none", () => {
    assert.deepStrictEqual(["a", "b", undefined].map(of), ["better", "worse", "no difference shown"])
  })
})

describe("the text of a comparison", () => {
  const part = (group: string, cases: number): Comparison["parts"][number] => ({
    ...{ group, cases },
    measures: [
      {
        ...{ measure: "MAE", unit: "°F", better: "lower", rows: 12, clusters: 4 },
        scores: [
          { contender: "own", value: 1.5, low: 1, high: 2, standardError: 0.2 },
          { contender: "market", value: 12.25, low: 11, high: 13, standardError: 0.2 },
        ],
        differences: [
          { of: "own", minus: "market", value: -10.75, low: -11, high: -9, standardError: 0.2, better: "own" },
        ],
      },
      { ...{ measure: "Brier", unit: "", better: "lower", rows: 0, clusters: 0 }, scores: [], differences: [] },
    ],
    reliability: [{ contender: "own", forecasts: 9, ece: 0.0213, bins: [] }],
    transforms: [{ contender: "own", forecasts: 9, pit: [0.4, 0.6], coverage: [0.5, 0.75, 1] }],
  })
  const comparison: Comparison = {
    ...{ lane: "weather", event: "it rained", cases: 1, inputs: [{ name: "a.csv", sha256: "abc", rows: 1 }] },
    bootstrap: { seed: 7, replicates: 999, level: 0.95 },
    contenders: [
      { kind: "own", name: "own", version: "2", answered: 1 },
      { kind: "market", name: "market", version: "market", answered: 12 },
    ],
    parts: [part("all", 2), part("none", 0)],
  }

  it("has a line for each contender, rows and clusters once, and no part without questions", () => {
    assert.strictEqual(
      table(comparison),
      [
        "weather, 1 question",
        "a.csv: 1 row, sha256 abc",
        "own: own 2, 1 forecast",
        "market: market, 12 forecasts",
        "Intervals: cluster bootstrap, 999 rounds, seed 7.",
        "",
        "all: 2 questions",
        "score    forecasts by  rows  clusters   mean           95 %  first − this             95 %  the first is",
        "MAE, °F           own    12         4  1.500  1.000 … 2.000",
        "               market                  12.25  11.00 … 13.00        -10.75  -11.00 … -9.000        better",
        "Calibration error: own 0.0213",
        "Outcomes in the laws of own: 50.0 % within the central 50 %, 75.0 % within the central 80 %, 100.0 % within the central 90 %; by tenth (PIT) 40.0 %, 60.0 %",
      ].join("\n"),
    )
  })
})

import { assert, it } from "@effect/vitest"
import { multiplyFactors, toFactorLines, toFlagFactor, toRecordFactor } from "../../../core/lanes/confidence.ts"

it("a confidence is its base times its multipliers, each with its input", () => {
  const factors = [
    ["lead 1.5 days", 0.914],
    ["kicked off"],
    ...toFlagFactor(["a", "b"], 0.9),
    ...toFlagFactor([], 0.1),
  ] as const
  assert.strictEqual(multiplyFactors(0.9, factors), 0.9 * 0.914 * 0.9)
  assert.deepStrictEqual(toFactorLines(0.9, factors), [
    "base 0.90 of a score judged by hand: not a probability, not calibrated",
    "lead 1.5 days: ×0.91",
    "kicked off",
    "quality flags a, b: ×0.90",
  ])
})

it("a record takes the market's share of the error, half at most, and gives nothing", () => {
  const record = (model: number, market: number) => toRecordFactor("record", model, market)
  assert.deepStrictEqual(
    [record(0.25, 0.2), record(0.2, 0.25), record(0.2, 0.2), record(0.9, 0.1), record(0.1, 0), record(0, 0)],
    [0.8, 1, 1, 0.5, 0.5, 1].map((multiplier) => ["record", multiplier]),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Decomposition } from "../../../core/math/murphy.ts"
import { reliability } from "../../../core/math/reliability.ts"
import { brier } from "../../../core/math/score.ts"

const forecasts = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), {
  minLength: 1,
  maxLength: 200,
})
const meanBrier = (rows: ReadonlyArray<readonly [number, boolean]>): number =>
  rows.reduce((sum, [p, happened]) => sum + brier(p, happened), 0) / rows.length

const whole = (parts: Decomposition): number =>
  parts.reliability - parts.resolution + parts.uncertainty + parts.withinBinVariance - 2 * parts.withinBinCovariance

const tableOf = (bins: number, rows: ReadonlyArray<readonly [number, boolean]>) => {
  const table = reliability(bins)
  for (const [p, happened] of rows) table.add(p, happened)
  return table
}

describe("reliability", () => {
  it("puts 1 into the last bin, and empty bins into no error", () => {
    const table = reliability(20)
    assert.isNaN(table.error())
    table.add(1, true)
    table.add(0.9999, false)
    table.add(0, false)
    table.add(0.05, false)
    const bins = table.bins()
    assert.deepStrictEqual(
      bins.map(({ count }) => count),
      [1, 1, ...Array.from({ length: 17 }, () => 0), 2],
    )
    assert.strictEqual(bins[19]!.frequency, 0.5)
    assert.isNaN(bins[5]!.meanProbability)
    assert.approximately(table.error(), (0.05 + 0.9999) / 4, 1e-15)
  })
  it("splits the Brier score into parts that sum to it, for every number of bins", () => {
    fc.assert(
      fc.property(forecasts, fc.integer({ min: 1, max: 40 }), (rows, bins) => {
        assert.approximately(whole(tableOf(bins, rows).decomposition()), meanBrier(rows), 1e-14)
      }),
    )
  })

  it("keeps the identity for a hundred thousand forecasts in one narrow band", () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => [0.9 + (at % 97) * 1e-9, at % 10 !== 0] as const)
    const parts = tableOf(10, rows).decomposition()
    assert.approximately(whole(parts), meanBrier(rows), 1e-13)
    // The variance of 0 … 96 in units of 1e-9, which a difference of sums of squares would lose.
    const steps = rows.map((_, at) => at % 97)
    const mean = steps.reduce((sum, step) => sum + step, 0) / rows.length
    const variance = (steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / rows.length) * 1e-18
    assert.approximately(parts.withinBinVariance / variance, 1, 1e-6)
  })
})

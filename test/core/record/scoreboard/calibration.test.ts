import { assert, describe, it } from "@effect/vitest"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import * as Calibration from "../../../../core/record/scoreboard/calibration.ts"
import { relative } from "../../math/reference.ts"

const generator = xoshiro128(11)
const forecasts = Array.from({ length: 5_000 }, () => {
  const p = generator.integer(1_000_001)
  return [p, generator.integer(1_000_000) < p] as const
})

const counted = (of: ReadonlyArray<readonly [p: number, happened: boolean]>): Calibration.ReliabilitySums => {
  const sums = Calibration.empty()
  for (const [p, happened] of of) Calibration.add(sums, Calibration.forecast(p, happened))
  return sums
}

const mean = (of: (p: number, outcome: number) => number): number =>
  forecasts.reduce((sum, [p, happened]) => sum + of(p / 1e6, happened ? 1 : 0), 0) / forecasts.length

describe("calibration", () => {
  it("gives the scores of their definitions", () => {
    const sums = counted(forecasts)
    assert.isAtMost(
      relative(
        Calibration.brier(sums),
        mean((p, o) => (p - o) ** 2),
      ),
      1e-12,
    )
    const log = mean((p, o) => -Math.log(Math.min(0.999, Math.max(0.001, o === 1 ? p : 1 - p))))
    assert.isAtMost(relative(Calibration.meanLogScore(sums), log), 1e-12)
  })

  it("splits the Brier score into parts that add up", () => {
    for (const of of [forecasts, forecasts.slice(0, 7), forecasts.filter(([p]) => p < 300_000)]) {
      const sums = counted(of)
      const { reliability, resolution, uncertainty, withinBinVariance, withinBinCovariance } =
        Calibration.decomposition(sums)
      const whole = reliability - resolution + uncertainty + withinBinVariance - 2 * withinBinCovariance
      assert.approximately(whole, Calibration.brier(sums), 1e-14)
    }
  })

  it("bins by tenths, the last one holding 1", () => {
    const edges = [0, 99_999, 100_000, 199_999, 300_000, 700_000, 899_999, 900_000, 1_000_000]
    const bins = Calibration.reliabilityBins(counted(edges.map((p) => [p, true])))
    assert.deepStrictEqual(
      bins.map(({ count }) => count),
      [2, 2, 0, 1, 0, 0, 0, 1, 1, 2],
    )
    assert.deepStrictEqual(bins[9], { count: 2, meanProbability: 0.95, frequency: 1 })
    assert.isNaN(bins[2]!.meanProbability)
  })

  // Two bins: four forecasts of .2 of which one came true, two of .7 of which both did.
  it("measures the distance of bins from the diagonal", () => {
    const sums = counted([
      ...[true, false, false, false].map((o) => [200_000, o] as const),
      [700_000, true],
      [700_000, true],
    ])
    assert.approximately(Calibration.calibrationError(sums), (4 * 0.05 + 2 * 0.3) / 6, 1e-15)
    const { reliability, resolution, withinBinVariance } = Calibration.decomposition(sums)
    assert.approximately(reliability, (4 * 0.0025 + 2 * 0.09) / 6, 1e-15)
    assert.approximately(resolution, (4 * 0.0625 + 2 * 0.25) / 6, 1e-15)
    assert.approximately(withinBinVariance, 0, 1e-15)
  })

  it("has no score without forecasts, and a finite one for a certain miss", () => {
    const none = Calibration.empty()
    for (const value of [Calibration.brier(none), Calibration.meanLogScore(none), Calibration.calibrationError(none)])
      assert.isNaN(value)
    const missed = counted([[1_000_000, false]])
    assert.strictEqual(Calibration.brier(missed), 1)
    assert.approximately(Calibration.meanLogScore(missed), -Math.log(0.001), 1e-15)
  })

  it("is the same sums whether counted together, in parts, or with some taken away again", () => {
    const parts = counted(forecasts.slice(0, 1_234))
    Calibration.merge(parts, counted(forecasts.slice(1_234)))
    assert.deepStrictEqual(parts, counted(forecasts))
    for (const [p, happened] of forecasts.slice(1_234)) Calibration.add(parts, Calibration.forecast(p, happened), -1)
    assert.deepStrictEqual(parts, counted(forecasts.slice(0, 1_234)))
  })
})

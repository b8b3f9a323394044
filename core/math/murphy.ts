/** Forecasts that are judged together: those of one bin, or those of one probability. */
export interface ForecastGroup {
  readonly count: number
  /** How many of the events happened. */
  readonly hits: number
  /** The mean probability. */
  readonly mean: number
  /** Σ (p − mean)². */
  readonly variance: number
  /** Σ (p − mean) (o − hits / count), o being 1 for an event that happened and 0 for another. */
  readonly covariance: number
}

/**
 * The parts of a Brier score: `reliability` − `resolution` + `uncertainty` + `withinBinVariance` −
 * 2 · `withinBinCovariance`, exactly. The two within-bin terms correct for binning; they are 0 where every group holds
 * one probability.
 */
export interface Decomposition {
  readonly reliability: number
  readonly resolution: number
  readonly uncertainty: number
  readonly withinBinVariance: number
  readonly withinBinCovariance: number
}

/**
 * Murphy's decomposition of the Brier score over groups of forecasts, with the within-bin terms of Stephenson and others.
 * Sources: A. H. Murphy, J. Appl. Meteorol. 12 (1973) 595–600; D. B. Stephenson, C. A. S. Coelho and I. T. Jolliffe,
 * Weather and Forecasting 23 (2008) 752–757.
 *
 * @param groups empty ones are skipped; without forecasts every part is NaN
 * @returns parts whose sum is the Brier score within 1e-14
 *
 * @example
 * ```ts
 * import { decomposed } from "./murphy.ts"
 *
 * const all = decomposed([{ count: 4, hits: 1, mean: 0.5, variance: 0, covariance: 0 }])
 * all.reliability // 0.0625
 * all.uncertainty // 0.1875
 * ```
 */
export const decomposed = (groups: Iterable<ForecastGroup>): Decomposition => {
  const filled = [...groups].filter(({ count }) => count > 0)
  const count = filled.reduce((sum, group) => sum + group.count, 0)
  const base = filled.reduce((sum, group) => sum + group.hits, 0) / count
  let [reliability, resolution, variance, covariance] = [0, 0, 0, 0]
  for (const group of filled) {
    const frequency = group.hits / group.count
    reliability += group.count * (group.mean - frequency) ** 2
    resolution += group.count * (frequency - base) ** 2
    variance += group.variance
    covariance += group.covariance
  }
  return {
    reliability: reliability / count,
    resolution: resolution / count,
    uncertainty: base * (1 - base),
    withinBinVariance: variance / count,
    withinBinCovariance: covariance / count,
  }
}

import { checkedInteger, probability } from "./checks.ts"
import { type Decomposition, decomposed } from "./murphy.ts"

/** Forecasts with a probability in [k / bins, (k + 1) / bins); the last bin includes 1. */
export interface ReliabilityBin {
  readonly count: number
  /** Mean probability, NaN when the bin is empty. */
  readonly meanProbability: number
  /** Share of the events that happened, NaN when the bin is empty. */
  readonly frequency: number
}

/** Probabilities and outcomes counted in bins of equal width; the forecasts are not stored. */
export interface Reliability {
  /** Counts a forecast; RangeError for a probability outside [0, 1] and NaN. */
  readonly add: (p: number, happened: boolean) => void
  readonly bins: () => ReadonlyArray<ReliabilityBin>
  /** Expected calibration error: Σ |mean probability − frequency| · count / all, in [0, 1]. Without forecasts: NaN. */
  readonly error: () => number
  /** Murphy's decomposition over the bins with the within-bin terms: its parts sum to the Brier score within 1e-14. */
  readonly decomposition: () => Decomposition
}

/**
 * A reliability table of equal bins, empty: `add` counts a forecast, `bins`, `error` and `decomposition` answer.
 *
 * @param bins how many bins of equal width
 * @throws RangeError for a number of bins that is not whole and at least 1
 *
 * @example
 * ```ts
 * import { reliability } from "./reliability.ts"
 *
 * const table = reliability(20)
 * table.add(0.9, true)
 * table.add(0.9, false)
 * table.error() // 0.4
 * table.decomposition().uncertainty // 0.25
 * ```
 */
export const reliability = (bins: number): Reliability => {
  const count = new Float64Array(checkedInteger("number of bins", bins, 1))
  const sum = new Float64Array(bins)
  const hits = new Float64Array(bins)
  // Sums around the means so far, by Welford's recurrence: differences of large sums would lose their digits.
  const mean = new Float64Array(bins)
  const variance = new Float64Array(bins)
  const covariance = new Float64Array(bins)
  return {
    add(p, happened) {
      const bin = Math.min(bins - 1, Math.floor(probability(p) * bins))
      const previous = count[bin]!
      const off = p - mean[bin]!
      const frequency = previous === 0 ? 0 : hits[bin]! / previous
      count[bin]! += 1
      sum[bin]! += p
      mean[bin]! += off / (previous + 1)
      variance[bin]! += off * (p - mean[bin]!)
      covariance[bin]! += (p - mean[bin]!) * ((happened ? 1 : 0) - frequency)
      if (happened) hits[bin]! += 1
    },
    bins: () =>
      Array.from(count, (n, bin) => ({ count: n, meanProbability: sum[bin]! / n, frequency: hits[bin]! / n })),
    error() {
      let off = 0
      let all = 0
      for (let bin = 0; bin < bins; bin++) {
        off += Math.abs(sum[bin]! - hits[bin]!)
        all += count[bin]!
      }
      return off / all
    },
    decomposition: () =>
      decomposed(
        Array.from(count, (n, bin) => ({
          count: n,
          hits: hits[bin]!,
          mean: mean[bin]!,
          variance: variance[bin]!,
          covariance: covariance[bin]!,
        })),
      ),
  }
}

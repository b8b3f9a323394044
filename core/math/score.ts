import { gammaRatio } from "./gammaRatio.ts"
import * as normal from "./normal.ts"
import type { StudentT } from "./studentT.ts"

/**
 * The Brier score of one probability, (p − o)²: 0 is best, 1 worst.
 *
 * @param p the probability given to the event
 * @param happened whether it happened
 *
 * @example
 * ```ts
 * import { brier } from "./score.ts"
 *
 * brier(0.75, true) // 0.0625
 * ```
 */
export const brier = (p: number, happened: boolean): number => (happened ? (1 - p) * (1 - p) : p * p)

/**
 * The logarithmic score of one probability in nats, −ln of the probability given to the outcome: 0 is best.
 *
 * @param clip probabilities are clipped to [`clip`, 1 − `clip`], so that a certain miss stays finite
 *
 * @example
 * ```ts
 * import { logScore } from "./score.ts"
 *
 * logScore(1, false, 1e-4) // 9.210340371976182
 * ```
 */
export const logScore = (p: number, happened: boolean, clip: number): number =>
  -Math.log(Math.min(1 - clip, Math.max(clip, happened ? p : 1 - p)))

/**
 * The continuous ranked probability score of a standard normal forecast with outcome `z`:
 * z (2Φ(z) − 1) + 2φ(z) − 1/√π. Times σ for a forecast of scale σ, z = (x − μ) / σ.
 * Source: T. Gneiting and A. E. Raftery, J. Amer. Statist. Assoc. 102 (2007) 359–378, section 4.2.
 *
 * @returns a number ≥ 0 in the units of `z`; NaN for NaN
 *
 * @example
 * ```ts
 * import { crpsNormal } from "./score.ts"
 *
 * crpsNormal(0) // 0.23369497725510913
 * ```
 */
export const crpsNormal = (z: number): number => z * (2 * normal.cdf(z) - 1) + 2 * normal.pdf(z) - 0.5641895835477563

/**
 * The continuous ranked probability score of a Student t forecast, as a function of the outcome z:
 * z (2F(z) − 1) + 2f(z) (ν + z²) / (ν − 1) − 2√ν B(½, ν − ½) / ((ν − 1) B(½, ν/2)²). Times the scale, as above.
 * Source: A. Jordan, F. Krüger and S. Lerch, J. Statist. Software 90 (2019) 12, appendix A.2.
 *
 * @param t for ν ≤ 1 the score is infinite: the function gives NaN
 *
 * @example
 * ```ts
 * import { crpsStudentT } from "./score.ts"
 * import * as studentT from "./studentT.ts"
 *
 * crpsStudentT(studentT.make(4))(0) // 0.26368922181489285
 * ```
 */
export const crpsStudentT = (t: StudentT): ((z: number) => number) => {
  const { nu } = t
  if (t.cdf === normal.cdf) return crpsNormal
  if (!(nu > 1)) return () => Number.NaN
  // B(½, c) = √π Γ(c) / Γ(c + ½).
  const half = gammaRatio(nu / 2)
  const spread = (2 * Math.sqrt(nu) * half * half) / ((nu - 1) * 1.772453850905516 * gammaRatio(nu - 0.5))
  return (z) => z * (2 * t.cdf(z) - 1) + (2 * t.pdf(z) * (nu + z * z)) / (nu - 1) - spread
}

/**
 * The Kolmogorov–Smirnov distance of values from the uniform distribution on [0, 1], for probability integral transforms
 * (the forecast's cdf at the outcome, uniform if the forecast is calibrated).
 *
 * @param values any order; not changed. Empty: NaN
 *
 * @example
 * ```ts
 * import { uniformDistance } from "./score.ts"
 *
 * uniformDistance([0.25, 0.75]) // 0.25
 * ```
 */
export const uniformDistance = (values: ArrayLike<number>): number => {
  const sorted = Float64Array.from(values).sort()
  const n = sorted.length
  let distance = n === 0 ? Number.NaN : 0
  for (let i = 0; i < n; i++) {
    distance = Math.max(distance, (i + 1) / n - sorted[i]!, sorted[i]! - i / n)
  }
  return distance
}

/** The share of values in [low, high]. Empty: NaN. */
export const shareWithin = (values: ArrayLike<number>, low: number, high: number): number => {
  let inside = 0
  for (let i = 0; i < values.length; i++) if (values[i]! >= low && values[i]! <= high) inside++
  return inside / values.length
}

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
  readonly add: (p: number, happened: boolean) => void
  readonly bins: () => ReadonlyArray<ReliabilityBin>
  /** Expected calibration error: Σ |mean probability − frequency| · count / all, in [0, 1]. Without forecasts: NaN. */
  readonly error: () => number
}

/**
 * An empty reliability table. Probabilities must lie in [0, 1].
 *
 * @example
 * ```ts
 * import { reliability } from "./score.ts"
 *
 * const table = reliability(20)
 * table.add(0.9, true)
 * table.add(0.9, false)
 * table.error() // 0.4
 * ```
 */
export const reliability = (bins: number): Reliability => {
  const count = new Float64Array(bins)
  const sum = new Float64Array(bins)
  const hits = new Float64Array(bins)
  return {
    add(p, happened) {
      const bin = Math.min(bins - 1, Math.floor(p * bins))
      count[bin]! += 1
      sum[bin]! += p
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
  }
}

import { finite, integer, probability } from "./checks.ts"
import type { Discrete } from "./discretise.ts"
import { gammaRatio } from "./gammaRatio.ts"
import * as normal from "./normal.ts"
import type { StudentT } from "./studentT.ts"

/**
 * The Brier score of one probability, (p − o)²: 0 is best, 1 worst.
 *
 * @param p the probability given to the event
 * @param happened whether it happened
 * @throws RangeError for `p` outside [0, 1] and NaN
 *
 * @example
 * ```ts
 * import { brier } from "./score.ts"
 *
 * brier(0.75, true) // 0.0625
 * ```
 */
export const brier = (p: number, happened: boolean): number =>
  happened ? (1 - probability(p)) * (1 - p) : probability(p) * p

/**
 * The logarithmic score of one probability in nats, −ln of the probability given to the outcome: 0 is best.
 *
 * @param clip probabilities are clipped to [`clip`, 1 − `clip`], so that a certain miss stays finite; 0 clips none, and
 *   a certain miss is ∞
 * @throws RangeError for `p` outside [0, 1] and for `clip` outside [0, ½], NaN included
 *
 * @example
 * ```ts
 * import { logScore } from "./score.ts"
 *
 * logScore(1, false, 1e-4) // 9.210340371976182
 * ```
 */
export const logScore = (p: number, happened: boolean, clip: number): number => {
  probability(p)
  const isMissed = happened ? p <= clipped(clip) : p >= 1 - clipped(clip)
  if (isMissed) return -Math.log(clip)
  const isSure = happened ? p >= 1 - clip : p <= clip
  if (isSure) return -Math.log1p(-clip)
  return happened ? -Math.log(p) : -Math.log1p(-p)
}

const clipped = (clip: number): number => {
  if (!(clip >= 0 && clip <= 0.5)) throw new RangeError(`The clip ${clip} is not between 0 and 0.5.`)
  return clip
}

/**
 * The logarithmic score of a distribution over whole numbers in nats, −ln of the probability of the outcome: 0 is best.
 *
 * @param law its end numbers include the tails, so that an outcome beyond them is scored as that end
 * @param outcome a whole number
 * @param clip the least probability that counts, so that an impossible outcome stays finite; 0 gives ∞ for one
 * @throws RangeError for an outcome that is not whole, and for `clip` outside [0, ½]
 *
 * @example
 * ```ts
 * import { logScoreDiscrete } from "./score.ts"
 *
 * const law = { first: 1, pmf: Float64Array.of(0.25, 0.25, 0.5), ge: Float64Array.of(1, 0.75, 0.5) }
 * logScoreDiscrete(law, 3, 1e-4) // 0.6931471805599453
 * ```
 */
export const logScoreDiscrete = ({ first, pmf }: Discrete, outcome: number, clip: number): number =>
  -Math.log(Math.max(clipped(clip), pmf[Math.min(pmf.length - 1, Math.max(0, integer("outcome", outcome) - first))]!))

/**
 * The continuous ranked probability score of a standard normal forecast with outcome `z`:
 * z (2Φ(z) − 1) + 2φ(z) − 1/√π. Times σ for a forecast of scale σ, z = (x − μ) / σ.
 * Source: T. Gneiting and A. E. Raftery, J. Amer. Statist. Assoc. 102 (2007) 359–378, section 4.2.
 *
 * @returns a number ≥ 0 in the units of `z`; NaN for NaN
 */
export const crpsNormal = (z: number): number => z * (2 * normal.cdf(z) - 1) + 2 * normal.pdf(z) - 0.5641895835477563

/**
 * The continuous ranked probability score of a Student t forecast, as a function of the outcome z:
 * z (2F(z) − 1) + 2f(z) (ν + z²) / (ν − 1) − 2√ν B(½, ν − ½) / ((ν − 1) B(½, ν/2)²). Multiply it by the scale, as for `crpsNormal`.
 * Source: A. Jordan, F. Krüger and S. Lerch, J. Statist. Software 90 (2019) 12, appendix A.2.
 *
 * @param t of ν > 1: below there is no score, and the function gives NaN
 *
 * @example
 * ```ts
 * import { crpsStudentT } from "./score.ts"
 * import * as studentT from "./studentT.ts"
 *
 * crpsStudentT(studentT.make(4))(0) // 0.2636892218148926
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
 * The continuous ranked probability score of a distribution over whole numbers: ∫ (F(x) − [x ≥ outcome])² dx. For a
 * whole-number outcome it is the ranked probability score, Σ (F(k) − [k ≥ outcome])².
 * Source: J. E. Matheson and R. L. Winkler, Management Science 22 (1976) 1087–1096.
 *
 * @param law its end numbers include no tails: an outcome beyond them counts at its full distance
 * @param outcome in the units of the law, whole or not
 * @returns a number ≥ 0 in the units of the law
 * @throws RangeError for an outcome that is not finite
 *
 * @example
 * ```ts
 * import { crpsDiscrete } from "./score.ts"
 *
 * const law = { first: 1, pmf: Float64Array.of(0.25, 0.25, 0.5), ge: Float64Array.of(1, 0.75, 0.5) }
 * crpsDiscrete(law, 2) // 0.3125
 * crpsDiscrete(law, 5) // 2.3125
 * ```
 */
export const crpsDiscrete = ({ first, ge }: Pick<Discrete, "first" | "ge">, outcome: number): number => {
  const last = first + ge.length - 1
  let sum = Math.max(first - finite("outcome", outcome), outcome - last, 0)
  for (let at = 0; at + 1 < ge.length; at++) {
    // From this number to the next, F is 1 − above; `before` is the part of the step below the outcome.
    const above = ge[at + 1]!
    const before = Math.min(1, Math.max(0, outcome - first - at))
    sum += before * (1 - above) * (1 - above) + (1 - before) * above * above
  }
  return sum
}

/**
 * The Kolmogorov–Smirnov distance of values from the uniform distribution on [0, 1], for probability integral transforms
 * (the forecast's cdf at the outcome, uniform if the forecast is calibrated).
 *
 * @param values any order; not changed. Empty: NaN
 * @returns a number in [0, 1]; absolute error at most 3e-16
 * @throws RangeError for a value outside [0, 1] and NaN
 */
export const uniformDistance = (values: ArrayLike<number>): number => {
  const sorted = Float64Array.from(values, probability).sort()
  const n = sorted.length
  let distance = n === 0 ? Number.NaN : 0
  for (let i = 0; i < n; i++) {
    distance = Math.max(distance, (i + 1) / n - sorted[i]!, sorted[i]! - i / n)
  }
  return distance
}

/** The share of values in [low, high]: the coverage of an interval, where the values are transforms. Empty: NaN. */
export const shareWithin = (values: ArrayLike<number>, low: number, high: number): number => {
  let inside = 0
  for (let i = 0; i < values.length; i++) if (values[i]! >= low && values[i]! <= high) inside++
  return inside / values.length
}

import { bell } from "./bell.ts"

/** Totals beyond this are taken as this: the highest since 1999 is 106. */
export const maxTotal = 120

const size = maxTotal + 1

/** Each comes some ten times nearer. */
const mostTries = 16

/**
 * The probability of every total from 0 to 120, element `n` that of `n` points: a normal distribution on whole numbers with
 * the totals put in that games do end on: pmf(n) ∝ wₙ · exp(−(n − mean)² / 2σ²). The weights carry the skew, too: low totals
 * are rarer than the bell has them, high ones more frequent. The bell is shifted so that the distribution's mean equals the published total, which does not
 * affect its scores.
 *
 * @param mean expected points of both
 * @param sigma standard deviation, above 0
 * @param weights w₀ … w₁₂₀, see `BlendWeights`; 1 where there is none
 *
 * @example
 * ```ts
 * import { totalsOf } from "./total.ts"
 *
 * totalsOf(44, 13.5, [])[44]!.toFixed(4) // "0.0296"
 * ```
 */
export const totalsOf = (mean: number, sigma: number, weights: ReadonlyArray<number>): Float64Array => {
  let at = mean
  for (let tries = 0; ; tries++) {
    const pmf = bell(0, size, at, sigma, (points) => weights[points] ?? 1)
    const off = mean - pmf.reduce((sum, p, points) => sum + p * points, 0)
    if (Math.abs(off) < 1e-9 || tries === mostTries) return pmf
    at += off
  }
}

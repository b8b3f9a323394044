import type { Discrete } from "./discretise.ts"

/*
 * Arithmetic of distributions over integers. Nothing is subtracted, so that small probabilities keep their precision.
 */

/** The distribution with all probability at one number. */
export const certain = (k: number): Discrete => ({ first: k, pmf: Float64Array.of(1), ge: Float64Array.of(1) })

/**
 * The mixture of weighted distributions over `first` … `last`; the weights sum to 1. Probability outside is added to the
 * ends.
 */
export const mixture = (
  parts: ReadonlyArray<readonly [weight: number, x: Discrete]>,
  first: number,
  last: number,
): Discrete => {
  const size = last - first + 1
  const pmf = new Float64Array(size)
  const ge = new Float64Array(size)
  for (const [weight, x] of parts) {
    const end = x.pmf.length - 1
    for (let at = 0; at <= end; at++) {
      pmf[Math.min(size - 1, Math.max(0, x.first + at - first))]! += weight * x.pmf[at]!
    }
    for (let at = 1; at < size; at++) {
      const index = first + at - x.first
      ge[at]! += index <= 0 ? weight : index > end ? 0 : weight * x.ge[index]!
    }
  }
  ge[0] = 1
  // Weights of binary fractions may sum to a little more than 1.
  for (let at = 1; at < size && ge[at]! > 1; at++) ge[at] = 1
  return { first, pmf, ge }
}

/**
 * The same distribution over `first` … `last`, with the probability outside added to the ends: that of max(`first`, X)
 * and min(`last`, X).
 *
 * @example
 * ```ts
 * import { folded } from "./discrete.ts"
 *
 * const thirds = { first: 1, pmf: Float64Array.of(0.25, 0.25, 0.5), ge: Float64Array.of(1, 0.75, 0.5) }
 * folded(thirds, 2, 4).pmf // [0.5, 0.5, 0]
 * ```
 */
export const folded = (x: Discrete, first: number, last: number): Discrete => mixture([[1, x]], first, last)

/** The distribution of min(X, Y), X and Y independent and over the same numbers. */
export const lesser = (x: Discrete, y: Discrete): Discrete => {
  const size = x.pmf.length
  const pmf = new Float64Array(size)
  const ge = new Float64Array(size)
  for (let at = 0; at < size; at++) {
    ge[at] = x.ge[at]! * y.ge[at]!
    // X is k and Y at least that, or Y is k and X above.
    pmf[at] = x.pmf[at]! * y.ge[at]! + (at + 1 < size ? x.ge[at + 1]! * y.pmf[at]! : 0)
  }
  return { first: x.first, pmf, ge }
}

/** Mean and standard deviation. */
export const moments = ({ first, pmf }: Discrete): { readonly mean: number; readonly sd: number } => {
  let sum = 0
  for (let at = 0; at < pmf.length; at++) sum += pmf[at]! * at
  let square = 0
  for (let at = 0; at < pmf.length; at++) square += pmf[at]! * (at - sum) ** 2
  return { mean: first + sum, sd: Math.sqrt(square) }
}

import { distribution, integer } from "./checks.ts"
import type { Discrete } from "./discretise.ts"

/*
 * Arithmetic of distributions over integers. Nothing is subtracted, so that small probabilities keep their precision.
 */

/**
 * The distribution with all probability at one number.
 *
 * @throws RangeError for a number that is not whole
 */
export const certain = (k: number): Discrete => ({
  first: integer("number", k),
  pmf: Float64Array.of(1),
  ge: Float64Array.of(1),
})

/**
 * The mixture of weighted distributions over `first` … `last`; the weights sum to 1. Probability outside is added to the
 * ends.
 *
 * @param parts weights of at least 0 that sum to 1, each with its distribution
 * @param first lowest integer
 * @param last highest integer, at least `first`
 * @throws RangeError for a last number below the first, for a negative weight, and for weights that do not sum to 1
 *   within 1e-9
 *
 * @example
 * ```ts
 * import { certain, mixture } from "./discrete.ts"
 *
 * mixture([[0.25, certain(3)], [0.75, certain(5)]], 3, 5).pmf // [0.25, 0, 0.75]
 * ```
 */
export const mixture = (
  parts: ReadonlyArray<readonly [weight: number, x: Discrete]>,
  first: number,
  last: number,
): Discrete => {
  if (integer("last number", last) < integer("first number", first)) {
    throw new RangeError(`The last number ${last} is below the first, ${first}.`)
  }
  distribution(parts.map(([weight]) => weight))
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
 */
export const folded = (x: Discrete, first: number, last: number): Discrete => mixture([[1, x]], first, last)

/**
 * The distribution of min(X, Y), X and Y independent and over the same numbers.
 *
 * @throws RangeError for distributions over different numbers
 *
 * @example
 * ```ts
 * import { lesser } from "./discrete.ts"
 *
 * const coin = { first: 0, pmf: Float64Array.of(0.5, 0.5), ge: Float64Array.of(1, 0.5) }
 * lesser(coin, coin).pmf // [0.75, 0.25]
 * ```
 */
export const lesser = (x: Discrete, y: Discrete): Discrete => {
  const size = x.pmf.length
  if (x.first !== y.first || size !== y.pmf.length) {
    const range = ({ first, pmf: { length } }: Discrete) => `${first} to ${first + length - 1}`
    throw new RangeError(`A distribution over ${range(x)} has no lesser with one over ${range(y)}.`)
  }
  const pmf = new Float64Array(size)
  const ge = new Float64Array(size)
  for (let at = 0; at < size; at++) {
    ge[at] = x.ge[at]! * y.ge[at]!
    // X is k and Y at least that, or Y is k and X above.
    pmf[at] = x.pmf[at]! * y.ge[at]! + (at + 1 < size ? x.ge[at + 1]! * y.pmf[at]! : 0)
  }
  return { first: x.first, pmf, ge }
}

/**
 * Mean and standard deviation, in the units of the numbers.
 *
 * @example
 * ```ts
 * import { moments } from "./discrete.ts"
 *
 * moments({ first: 10, pmf: Float64Array.of(0.5, 0, 0.5), ge: Float64Array.of(1, 0.5, 0.5) }) // { mean: 11, sd: 1 }
 * ```
 */
export const moments = ({ first, pmf }: Discrete): { readonly mean: number; readonly sd: number } => {
  let sum = 0
  for (let at = 0; at < pmf.length; at++) sum += pmf[at]! * at
  let square = 0
  for (let at = 0; at < pmf.length; at++) square += pmf[at]! * (at - sum) ** 2
  return { mean: first + sum, sd: Math.sqrt(square) }
}

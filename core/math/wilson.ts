import { checkedInteger } from "./checks.ts"

/**
 * The score interval of a proportion: (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n). Never outside [0, 1].
 * Source: E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927) 209–212.
 *
 * @param hits 0 to `count`
 * @param count trials; 0 gives NaN
 * @param z the normal quantile of the coverage, at least 0: 1.959964 for 95 %
 * @throws RangeError for hits or trials that are not whole numbers of at least 0, for more hits than trials, and for a
 *   negative or infinite z
 *
 * @example
 * ```ts
 * import { wilson } from "./wilson.ts"
 *
 * wilson(0, 10, 1.959964) // { low: 0, high: 0.2775… }
 * ```
 */
export const wilson = (hits: number, count: number, z: number): { readonly low: number; readonly high: number } => {
  if (checkedInteger("number of hits", hits, 0) > checkedInteger("number of trials", count, 0)) {
    throw new RangeError(`There are ${hits} hits in ${count} trials.`)
  }
  if (!(z >= 0 && z < Number.POSITIVE_INFINITY))
    throw new RangeError(`The quantile ${z} is not a number of at least 0.`)
  if (count === 0) return { low: Number.NaN, high: Number.NaN }
  const p = hits / count
  const share = (z * z) / count
  const middle = (p + share / 2) / (1 + share)
  const half = (z * Math.sqrt((p * (1 - p)) / count + share / (4 * count))) / (1 + share)
  // Rounding may move a bound outside [0, 1].
  return { low: hits === 0 ? 0 : middle - half, high: hits === count ? 1 : middle + half }
}

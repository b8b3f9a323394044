/**
 * A sum of integers that is exact beyond 2^53: `high` · 2^50 + `low`, 0 ≤ low < 2^50. The same addends in any order,
 * grouping or number of processes give the same two numbers. Plain data, stored as JSON.
 */
export interface ExactSum {
  high: number
  low: number
}

const radix = 2 ** 50
/** The largest addend that cannot push `low` past 2^53. */
const maxAddend = 2 ** 53 - radix

/** The sum of nothing. */
export const zero = (): ExactSum => ({ high: 0, low: 0 })

/**
 * Adds `value` to `sum`.
 *
 * @param value an integer for an exact sum; others are added as doubles. At most 7.8 · 10¹⁵ in size
 * @throws RangeError for a value beyond that, and for NaN
 *
 * @example
 * ```ts
 * import { add, dividedBy, zero } from "./exactSum.ts"
 *
 * const sum = zero()
 * for (let k = 0; k < 3; k++) add(sum, 2 ** 52 + 1)
 * dividedBy(sum, 3) - 2 ** 52 // 1
 * ```
 */
export const add = (sum: ExactSum, value: number): void => {
  if (!(Math.abs(value) <= maxAddend)) throw new RangeError(`${value} cannot be added exactly.`)
  const low = sum.low + value
  const carried = Math.floor(low / radix)
  sum.high += carried
  sum.low = low - carried * radix
}

/** Adds `other` to `sum`; `sign` −1 subtracts it. */
export const merge = (sum: ExactSum, other: ExactSum, sign: 1 | -1 = 1): void => {
  sum.high += sign * other.high
  add(sum, sign * other.low)
}

/** `sum` / `divisor`; relative error at most 1e-15 for sums of one sign. NaN for 0 / 0. */
export const dividedBy = ({ high, low }: ExactSum, divisor: number): number => (high * radix) / divisor + low / divisor

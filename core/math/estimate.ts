import { finite } from "./checks.ts"

/** A mean with its standard error. */
export interface Estimate {
  readonly value: number
  readonly se: number
}

/**
 * The mean of independent values, with its standard error √(Σ (x − mean)² / (n (n − 1))). For dependent values, use
 * `clusters.ratio` or a bootstrap.
 *
 * @param values any number of them; without one the mean is NaN, and with fewer than two the standard error
 * @throws RangeError for a value that is not finite
 *
 * @example
 * ```ts
 * import { estimate } from "./estimate.ts"
 *
 * estimate([1, 3, 5, 7]) // { value: 4, se: 1.29099…}
 * ```
 */
export const estimate = (values: ReadonlyArray<number>): Estimate => {
  const n = values.length
  const value = values.reduce((sum, one) => sum + finite("value", one), 0) / n
  return { value, se: Math.sqrt(values.reduce((sum, one) => sum + (one - value) ** 2, 0) / (n - 1) / n) }
}

/** The fit of two regressors without an intercept. */
export interface Plane {
  readonly a: number
  readonly b: number
  /** Residual standard deviation, n − 2 degrees of freedom. */
  readonly sigma: number
}

/**
 * Ordinary least squares of y = a · x₁ + b · x₂, without intercept, by the normal equations.
 *
 * @param rows [x₁, x₂, y]; at least three, with x₁ and x₂ not in proportion: otherwise the result is NaN or infinite
 *
 * @example
 * ```ts
 * import { leastSquares } from "./leastSquares.ts"
 *
 * leastSquares([[1, 0, 2], [0, 1, 3], [1, 1, 5]]) // { a: 2, b: 3, sigma: 0 }
 * ```
 */
export const leastSquares = (rows: ReadonlyArray<readonly [x1: number, x2: number, y: number]>): Plane => {
  let s11 = 0
  let s12 = 0
  let s22 = 0
  let s1y = 0
  let s2y = 0
  for (const [x1, x2, y] of rows) {
    s11 += x1 * x1
    s12 += x1 * x2
    s22 += x2 * x2
    s1y += x1 * y
    s2y += x2 * y
  }
  const determinant = s11 * s22 - s12 * s12
  const a = (s1y * s22 - s2y * s12) / determinant
  const b = (s2y * s11 - s1y * s12) / determinant
  let squares = 0
  for (const [x1, x2, y] of rows) squares += (y - a * x1 - b * x2) ** 2
  return { a, b, sigma: Math.sqrt(squares / (rows.length - 2)) }
}

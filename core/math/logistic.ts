/**
 * The log-odds of a probability: ln(p / (1 − p)). 0 gives −∞, 1 gives ∞, anything outside [0, 1] NaN.
 *
 * @returns relative error at most 4e-16 for p up to .4 or from .6 on; between them absolute error at most 3e-16
 */
export const logit = (p: number): number => Math.log(p / (1 - p))

/**
 * The probability of log-odds: 1 / (1 + e^−x), the inverse of `logit`. NaN gives NaN.
 *
 * @param x any number; −∞ gives 0, ∞ gives 1
 *
 * @example
 * ```ts
 * import { logistic } from "./logistic.ts"
 *
 * logistic(-2) // 0.11920292202211755
 * ```
 */
export const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

export interface LogisticFit {
  /** One per regressor. */
  readonly coefficients: ReadonlyArray<number>
  /** Their standard errors, from the curvature of the likelihood. */
  readonly standardErrors: ReadonlyArray<number>
}

/** The inverse of a symmetric positive definite matrix, by Gauss–Jordan elimination. */
const inverse = (matrix: ReadonlyArray<ReadonlyArray<number>>): Array<Array<number>> => {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, k) => (k === i ? 1 : 0))])
  for (let i = 0; i < size; i++) {
    const pivot = rows[i]![i]!
    const scaled = rows[i]!.map((value) => value / pivot)
    rows[i] = scaled
    for (let other = 0; other < size; other++) {
      const factor = rows[other]![i]!
      if (other !== i) rows[other] = rows[other]!.map((value, k) => value - factor * scaled[k]!)
    }
  }
  return rows.map((row) => row.slice(size))
}

/** Far more iterations than a likelihood with a maximum needs. */
const maxSteps = 50

/**
 * Maximum likelihood of P(happened) = logistic(Σ coefficient · regressor) by Newton's method. It has no intercept: add a
 * regressor that is always 1 for one.
 *
 * @param rows regressors of each case, all of one length
 * @param happened one per row
 * @param penalty ridge penalty per regressor: penalty · coefficient² / 2 is subtracted from the log-likelihood; default 0
 * @param offsets a fixed offset per row, in log-odds; default 0
 * @returns NaN throughout if there is no maximum: collinear regressors, or an event that they separate perfectly
 *
 * @example
 * ```ts
 * import { fitLogistic } from "./logistic.ts"
 *
 * // ln 3
 * fitLogistic([[1], [1], [1], [1]], [true, true, true, false]).coefficients // [1.0986…]
 * ```
 */
export const fitLogistic = (
  rows: ReadonlyArray<ReadonlyArray<number>>,
  happened: ReadonlyArray<boolean>,
  penalty: ReadonlyArray<number> = [],
  offsets: ReadonlyArray<number> = [],
): LogisticFit => {
  const size = rows[0]?.length ?? 0
  const noFit: LogisticFit = {
    coefficients: Array(size).fill(Number.NaN),
    standardErrors: Array(size).fill(Number.NaN),
  }
  let coefficients: Array<number> = Array(size).fill(0)
  for (let iteration = 0; iteration < maxSteps; iteration++) {
    const gradient = coefficients.map((value, k) => -(penalty[k] ?? 0) * value)
    const curvature = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (_, b) => (a === b ? (penalty[a] ?? 0) : 0)),
    )
    rows.forEach((row, i) => {
      const p = logistic(row.reduce((sum, value, k) => sum + value * coefficients[k]!, offsets[i] ?? 0))
      const weight = p * (1 - p)
      for (let a = 0; a < size; a++) {
        gradient[a]! += row[a]! * ((happened[i] ? 1 : 0) - p)
        for (let b = 0; b < size; b++) curvature[a]![b]! += weight * row[a]! * row[b]!
      }
    })
    const covariance = inverse(curvature)
    const step = covariance.map((row) => row.reduce((sum, value, k) => sum + value * gradient[k]!, 0))
    coefficients = coefficients.map((value, k) => value + step[k]!)
    if (!coefficients.every(Number.isFinite)) return noFit
    // Convergence is judged by log-odds, which have no unit; coefficients have the unit of their regressor.
    const moved = (row: ReadonlyArray<number>) => row.reduce((sum, value, k) => sum + value * step[k]!, 0)
    if (rows.every((row) => Math.abs(moved(row)) < 1e-12)) {
      return { coefficients, standardErrors: covariance.map((row, k) => Math.sqrt(row[k]!)) }
    }
  }
  return noFit
}

/**
 * The log-odds of a probability: ln(p / (1 − p)). 0 gives −∞, 1 gives ∞, anything outside [0, 1] NaN.
 *
 * @returns relative error at most 4e-16 for p up to .4 or from .6 on; between them absolute error at most 3e-16
 *
 * @example
 * ```ts
 * import { logit } from "./logistic.ts"
 *
 * logit(0.75) // 1.098612288668109…
 * ```
 */
export const logit = (p: number): number => Math.log(p / (1 - p))

/**
 * The probability of log-odds: 1 / (1 + e^−x), the inverse of `logit`. NaN gives NaN.
 *
 * @param x any number; −∞ gives 0, ∞ gives 1
 * @returns a probability; relative error at most 5e-16 for x of −700 to 700
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
  const rows = matrix.map((row, at) => [...row, ...Array.from({ length: size }, (_, k) => (k === at ? 1 : 0))])
  for (let at = 0; at < size; at++) {
    const pivot = rows[at]![at]!
    const scaled = rows[at]!.map((value) => value / pivot)
    rows[at] = scaled
    for (let other = 0; other < size; other++) {
      const factor = rows[other]![at]!
      if (other !== at) rows[other] = rows[other]!.map((value, k) => value - factor * scaled[k]!)
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
 * @param penalty half of it times the coefficient's square is taken off the log-likelihood, one per regressor; default 0
 * @param offsets log-odds that are added to each row's, with no coefficient; default 0
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
  const none: LogisticFit = { coefficients: Array(size).fill(Number.NaN), standardErrors: Array(size).fill(Number.NaN) }
  let coefficients: Array<number> = Array(size).fill(0)
  for (let step = 0; step < maxSteps; step++) {
    const gradient = coefficients.map((value, k) => -(penalty[k] ?? 0) * value)
    const curvature = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (_, b) => (a === b ? (penalty[a] ?? 0) : 0)),
    )
    rows.forEach((row, at) => {
      const p = logistic(row.reduce((sum, value, k) => sum + value * coefficients[k]!, offsets[at] ?? 0))
      const weight = p * (1 - p)
      for (let a = 0; a < size; a++) {
        gradient[a]! += row[a]! * ((happened[at] ? 1 : 0) - p)
        for (let b = 0; b < size; b++) curvature[a]![b]! += weight * row[a]! * row[b]!
      }
    })
    const covariance = inverse(curvature)
    const change = covariance.map((row) => row.reduce((sum, value, k) => sum + value * gradient[k]!, 0))
    coefficients = coefficients.map((value, k) => value + change[k]!)
    if (!coefficients.every(Number.isFinite)) return none
    // By the rows' log-odds, which have no unit: coefficients have that of their regressor.
    const moved = (row: ReadonlyArray<number>) => row.reduce((sum, value, k) => sum + value * change[k]!, 0)
    if (rows.every((row) => Math.abs(moved(row)) < 1e-12)) {
      return { coefficients, standardErrors: covariance.map((row, k) => Math.sqrt(row[k]!)) }
    }
  }
  return none
}

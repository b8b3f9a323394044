import { daysBetween } from "../stations.ts"

/** Mean and logarithm of the variance of a daily extreme over the year: coefficients of 1, cos w, sin w, cos 2w, sin 2w. */
export interface Climatology {
  readonly mean: ReadonlyArray<number>
  readonly logVariance: ReadonlyArray<number>
}

const terms = 5

/** 1 on 1 January. */
export const dayOfYear = (day: string): number => 1 + daysBetween(`${day.slice(0, 4)}-01-01`, day)

/** w = 2π · day of the year / 365.2425. */
const harmonics = (dayOfTheYear: number): ReadonlyArray<number> => {
  const w = (2 * Math.PI * dayOfTheYear) / 365.2425
  return [1, Math.cos(w), Math.sin(w), Math.cos(2 * w), Math.sin(2 * w)]
}

const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

/**
 * The climatology of a day of the year: mean and standard deviation, degrees Fahrenheit.
 *
 * @example
 * ```ts
 * import { fitted, usual } from "./climatology.ts"
 *
 * usual(fitted["KNYC"]!, "2026-07-09") // { mean: 84.9…, sd: 5.5… }
 * ```
 */
export const usual = (climatology: Climatology, day: string): { readonly mean: number; readonly sd: number } => {
  const x = harmonics(dayOfYear(day))
  return { mean: dot(climatology.mean, x), sd: Math.exp(dot(climatology.logVariance, x) / 2) }
}

/** Solves the symmetric, positive definite system A·b = c in place, by elimination without pivots. */
const solve = (a: ReadonlyArray<Array<number>>, c: Array<number>): ReadonlyArray<number> => {
  const n = c.length
  for (let row = 0; row < n; row++) {
    for (let below = row + 1; below < n; below++) {
      const factor = a[below]![row]! / a[row]![row]!
      for (let column = row; column < n; column++) a[below]![column]! -= factor * a[row]![column]!
      c[below]! -= factor * c[row]!
    }
  }
  for (let row = n - 1; row >= 0; row--) {
    for (let column = row + 1; column < n; column++) c[row]! -= a[row]![column]! * c[column]!
    c[row]! /= a[row]![row]!
  }
  return c
}

const leastSquares = (rows: ReadonlyArray<ReadonlyArray<number>>, y: ReadonlyArray<number>): ReadonlyArray<number> => {
  const a = Array.from({ length: terms }, () => new Array<number>(terms).fill(0))
  const c = new Array<number>(terms).fill(0)
  rows.forEach((x, at) => {
    for (let i = 0; i < terms; i++) {
      c[i]! += x[i]! * y[at]!
      for (let j = 0; j < terms; j++) a[i]![j]! += x[i]! * x[j]!
    }
  })
  return solve(a, c)
}

/**
 * Fits a climatology: the mean by least squares, then the variance as the mean of the squared residuals in a gamma
 * regression with logarithmic link, by iterated least squares (P. McCullagh and J. A. Nelder, Generalized Linear Models,
 * 1989, section 2.5: with this link all weights are 1).
 *
 * @param records at least a year of days and their extremes; fewer than five distinct days of the year give NaN
 */
export const fitClimatology = (
  records: ReadonlyArray<{ readonly day: string; readonly tempF: number }>,
): Climatology => {
  const rows = records.map(({ day }) => harmonics(dayOfYear(day)))
  const mean = leastSquares(
    rows,
    records.map(({ tempF }) => tempF),
  )
  const squares = records.map(({ tempF }, at) => (tempF - dot(mean, rows[at]!)) ** 2)
  const average = squares.reduce((sum, square) => sum + square, 0) / squares.length
  let logVariance: ReadonlyArray<number> = [Math.log(average), 0, 0, 0, 0]
  for (let sweep = 0; sweep < 50; sweep++) {
    const working = rows.map((x, at) => {
      const eta = dot(logVariance, x)
      return eta + squares[at]! / Math.exp(eta) - 1
    })
    logVariance = leastSquares(rows, working)
  }
  return { mean, logVariance }
}

/**
 * Daily highs of the stations with an own fit: `fitClimatology` of 2020-01-01 … 2022-12-31 (GHCN-Daily, NOAA), rounded.
 * An upper bound of a forecast's spread, never a substitute for a forecast.
 */
export const fitted: Readonly<Record<string, Climatology>> = {
  KNYC: { mean: [63.96, -20.39, -7.98, -0.4, 0.48], logVariance: [4.05, 0.49, 0.47, -0.05, -0.18] },
  KMIA: { mean: [85.5, -6.08, -2.36, -1.47, 0.14], logVariance: [2.46, 0.75, 0.47, 0.26, -0.13] },
}

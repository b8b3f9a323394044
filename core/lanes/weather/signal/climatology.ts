import { daysBetween } from "../stations.ts"

/** Mean and logarithm of the variance of a daily extreme over the year: coefficients of 1, cos w, sin w, cos 2w, sin 2w. */
export interface Climatology {
  readonly mean: ReadonlyArray<number>
  readonly logVariance: ReadonlyArray<number>
}

/** 1 on 1 January. */
export const dayOfYear = (day: string): number => 1 + daysBetween(`${day.slice(0, 4)}-01-01`, day)

/** w = 2π · day of the year / 365.2425. */
export const harmonics = (dayOfTheYear: number): ReadonlyArray<number> => {
  const w = (2 * Math.PI * dayOfTheYear) / 365.2425
  return [1, Math.cos(w), Math.sin(w), Math.cos(2 * w), Math.sin(2 * w)]
}

export const dot = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

/**
 * The climatology of a day of the year: mean and standard deviation, degrees Fahrenheit.
 *
 * @example
 * ```ts
 * import { climateNormal, fitted } from "./climatology.ts"
 *
 * climateNormal(fitted["KNYC"]!, "2026-07-09") // { mean: 84.9…, sd: 5.5… }
 * ```
 */
export const climateNormal = (
  climatology: Climatology,
  day: string,
): { readonly mean: number; readonly sd: number } => {
  const x = harmonics(dayOfYear(day))
  return { mean: dot(climatology.mean, x), sd: Math.exp(dot(climatology.logVariance, x) / 2) }
}

/**
 * Daily highs of the stations with an own fit: `fitClimatology` (`bench/backtest`) of 2020-01-01 … 2022-12-31 (GHCN-Daily, NOAA), rounded.
 * An upper bound of a forecast's spread, never a substitute for a forecast.
 */
export const fitted: Readonly<Record<string, Climatology>> = {
  KNYC: { mean: [63.96, -20.39, -7.98, -0.4, 0.48], logVariance: [4.05, 0.49, 0.47, -0.05, -0.18] },
  KMIA: { mean: [85.5, -6.08, -2.36, -1.47, 0.14], logVariance: [2.46, 0.75, 0.47, 0.26, -0.13] },
}

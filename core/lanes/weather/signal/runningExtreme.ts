import { addDays, hour } from "../../../time.ts"
import type { Observation } from "../ports.ts"
import { climateDayStart, daysBetween, type Station } from "../stations.ts"
import { maxRoundingError, toSolarHour } from "./sameDay.ts"
import type { Variable } from "./temperature.ts"

/** A part of the day with known official extremes, from a report or from a group of a coded observation. */
export interface Span {
  readonly from: number
  readonly to: number
  /** Whole degrees Fahrenheit; absent if the source does not have it. */
  readonly high?: number
  readonly low?: number
}

/**
 * Variance of the temperature about the line between two observations an hour apart, °F², at night and by day; `power`: how
 * it grows with the interval; `tails`: ν of the distribution in `estimateOfficial`. Fitted on the hourly temperatures of
 * Newark, Kennedy and LaGuardia airports in 2013, thinned to every second, third and fourth observation: the thinned series
 * miss .35, .64 and .92 °F of the high and .31, .58 and .84 °F of the low. By the same power hourly observations miss .52
 * and .44 °F.
 */
export const variance = { night: 0.3, day: 0.42, power: 1.65, tails: 1.6 } as const
/** From this sine of the sun's height on it is full day; at the horizon and below it is night. */
const daylightSine = 0.4
/** The distribution reaches this far beyond the proven extreme, degrees. */
const maxBeyondF = 8
const negligible = 1e-6
/** Shorter intervals are ignored, hours. */
const minGapHours = 1 / 60

/** Sine of the sun's height above the horizon. */
const toSunSine = (station: Station, at: number): number => {
  const dayNumber = daysBetween(`${new Date(at).getUTCFullYear()}-01-01`, new Date(at).toISOString().slice(0, 10))
  const declination = ((-23.44 * Math.PI) / 180) * Math.cos((2 * Math.PI * (dayNumber + 10)) / 365.25)
  const latitude = (station.coordinates.lat * Math.PI) / 180
  return (
    Math.sin(latitude) * Math.sin(declination) +
    Math.cos(latitude) * Math.cos(declination) * Math.cos(((toSolarHour(station, at) - 12) * Math.PI) / 12)
  )
}

/** An interval between two observations that no report and no group covers. */
interface Gap {
  readonly at: number
  /** Hours. */
  readonly length: number
  /** Temperatures at its ends, from observations in whole degrees, as the official thermometer rounds. */
  readonly a: number
  readonly b: number
}

const findUncoveredGaps = (
  readings: ReadonlyArray<Observation>,
  spans: ReadonlyArray<Span>,
  variable: Variable,
  start: number,
): ReadonlyArray<Gap> => {
  const gaps: Array<Gap> = []
  const closed = spans.filter((span) => span[variable] !== undefined)
  for (let at = 1; at < readings.length; at++) {
    const [left, right] = [readings[at - 1]!, readings[at]!]
    let from = Math.max(left.at, start)
    let to = right.at
    for (const span of closed) {
      if (span.from <= from && span.to > from) from = Math.min(to, span.to)
      if (span.to >= to && span.from < to) to = Math.max(from, span.from)
    }
    const length = (to - from) / hour
    if (length < minGapHours) continue
    const [first, last] = [Math.round(left.tempF), Math.round(right.tempF)]
    const along = (when: number): number => first + ((last - first) * (when - left.at)) / (right.at - left.at)
    gaps.push({ at: (from + to) / 2, length, a: along(from), b: along(to) })
  }
  return gaps
}

/** The variance within an interval of `length` hours, °F². */
export const toVariance = (station: Station, at: number, length: number): number => {
  const light = Math.min(1, Math.max(0, toSunSine(station, at) / daylightSine))
  return (variance.night + light * (variance.day - variance.night)) * length ** variance.power
}

/** The possible values of the official running extreme with their weights, nearest to the observations first. */
export type RunningOfficial = readonly [Weighted, ...ReadonlyArray<Weighted>]
type Weighted = readonly [weight: number, tempF: number]

interface DaySoFar {
  /** In order of time up to now, beginning before the day. */
  readonly readings: ReadonlyArray<Observation>
  /** The extreme that the observations of the day prove, whole degrees. */
  readonly read: number
  readonly spans: ReadonlyArray<Span>
  /** Beginning of the climate day, epoch milliseconds. */
  readonly start: number
  /** Factor on the variance between the station's observations; 1 is the fitted value. */
  readonly scale: number
}

/**
 * The distribution of the day's official extreme up to the last observation. Reports and groups give it for their parts of
 * the day. Between other observations the thermometer, which is read every minute, may have gone beyond them: it reached y
 * with probability (1 + 2 (y − a) (y − b) / (ν V))^−ν, where a and b are the temperatures at the ends and V is the variance
 * within the interval. This is the law of the maximum of a Brownian bridge with unknown variance.
 *
 * @returns at least one value; the weights sum to 1
 */
export const estimateOfficial = (
  station: Station,
  variable: Variable,
  { readings, read, spans, start, scale }: DaySoFar,
): RunningOfficial => {
  const sign = variable === "high" ? 1 : -1
  const printed = spans.flatMap((span) => span[variable] ?? [])
  const proven = sign * Math.max(sign * read, ...printed.map((tempF) => sign * tempF))
  const gaps = findUncoveredGaps(readings, spans, variable, start).map(({ at, length, a, b }) => ({
    a,
    b,
    spread: scale * toVariance(station, at, length),
  }))
  const error = maxRoundingError(readings)
  /** The temperature may be up to 0.9 °F beyond an observation in whole degrees Celsius. */
  const uncovered = readings
    .filter(
      ({ at }) =>
        at >= start && !spans.some((span) => span[variable] !== undefined && at <= span.to && at >= span.from),
    )
    .map(({ tempF }) => sign * tempF)
  const highest = Math.max(Number.NEGATIVE_INFINITY, ...uncovered)
  const beyond = (degrees: number): number => {
    const y = sign * proven + degrees - 0.5
    const blurred = Math.min(1, Math.max(0, (highest + error - y) / (2 * error)))
    let none = 1 - blurred
    for (const { a, b, spread } of gaps) {
      const [above, farther] = [y - sign * a, y - sign * b]
      // An observation beyond the proven value is a rounding error, counted above.
      if (above <= 0 || farther <= 0) continue
      none *= 1 - (1 + (2 * above * farther) / (variance.tails * spread)) ** -variance.tails
    }
    return 1 - none
  }
  const weights: Array<Weighted> = []
  let more = 1
  for (let degrees = 0; degrees <= maxBeyondF && more > negligible; degrees++) {
    const next = degrees === maxBeyondF ? 0 : Math.min(more, beyond(degrees + 1))
    weights.push([next > negligible ? more - next : more, proven + sign * degrees])
    more = next
  }
  return weights as unknown as RunningOfficial
}

/** Beginning and end of a climate day, epoch milliseconds. */
export const dayBounds = (station: Station, day: string): readonly [start: number, end: number] => [
  climateDayStart(station, day),
  climateDayStart(station, addDays(day, 1)),
]

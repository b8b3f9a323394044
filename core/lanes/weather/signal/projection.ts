import { day, hour } from "../../../time.ts"
import type { Extreme, GridForecast, Observation } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"

const hoursPerDay = 24

/** The hours, in local standard time, in which a day's extremes occur: the morning low, the high, the evening low. */
const dayParts = { morning: [0, 9], afternoon: [9, 18], evening: [18, hoursPerDay] } as const
type DayPart = keyof typeof dayParts
/** The share of a part of the day that must have a forecast or an observation. */
const minCoveredShare = 2 / 3

/** Whether a value is within −80 to 140 °F, as all records of the country are; others are upstream errors and ignored. */
const isPlausible = ({ tempF }: { readonly tempF: number }): boolean => tempF >= -80 && tempF <= 140

/** A grid cut to the hours of one climate day: degrees Fahrenheit, NaN for an hour without a value. */
export interface DayForecast {
  /** Epoch milliseconds of local standard midnight. */
  readonly start: number
  readonly hourly: Float64Array
  readonly maxima: ReadonlyArray<Extreme>
  readonly minima: ReadonlyArray<Extreme>
}

const selectHours = (grid: GridForecast, { from, to }: Extreme) => grid.hourly.filter(({ at }) => at >= from && at < to)

/**
 * Whether the extreme of an interval belongs to the climate day. That of an interval inside the day does. That of one across
 * midnight, such as the overnight minimum, belongs to the day of its most extreme forecast hour; if an hour has no forecast,
 * the interval is ignored.
 */
const belongsToDay = (grid: GridForecast, interval: Extreme, start: number, sign: 1 | -1): boolean => {
  const end = start + day
  if (interval.from >= start && interval.to <= end) return true
  if (interval.to <= start || interval.from >= end) return false
  const hours = selectHours(grid, interval)
  if (hours.length < Math.floor((interval.to - interval.from) / hour)) return false
  const extreme = hours.reduce((best, one) => (sign * one.tempF > sign * best.tempF ? one : best))
  return extreme.at >= start && extreme.at < end
}

/** Cuts a grid to one climate day: local standard midnight to midnight, also in summer. */
export const cutToDay = (grid: GridForecast, station: Station, day: string): DayForecast => {
  const start = climateDayStart(station, day)
  const hourly = new Float64Array(hoursPerDay).fill(Number.NaN)
  for (const one of grid.hourly) {
    const index = Math.floor((one.at - start) / hour)
    if (index >= 0 && index < hoursPerDay && isPlausible(one)) hourly[index] = one.tempF
  }
  return {
    start,
    hourly,
    maxima: grid.maxima.filter((interval) => isPlausible(interval) && belongsToDay(grid, interval, start, 1)),
    minima: grid.minima.filter((interval) => isPlausible(interval) && belongsToDay(grid, interval, start, -1)),
  }
}

/** The hours of the day with data: observed past hours, forecast future ones, and the current one by either. */
export const findBackedHours = (
  { start, hourly }: DayForecast,
  readings: ReadonlyArray<Observation>,
  now: number,
): ReadonlyArray<boolean> => {
  const read = new Set(readings.map(({ at }) => Math.floor((at - start) / hour)))
  return Array.from(hourly, (tempF, index) => {
    const begins = start + index * hour
    const forecast = !Number.isNaN(tempF)
    if (begins + hour <= now) return read.has(index)
    return begins > now ? forecast : forecast || read.has(index)
  })
}

/** Whether the given hours cover two thirds of a part of the day. */
export const coversPart = (hours: ReadonlyArray<boolean>, stretch: DayPart): boolean => {
  const [from, to] = dayParts[stretch]
  return hours.slice(from, to).filter(Boolean).length >= minCoveredShare * (to - from)
}

export const findForecastHours = ({ hourly }: DayForecast): ReadonlyArray<boolean> =>
  Array.from(hourly, (tempF) => !Number.isNaN(tempF))

interface Peak {
  readonly tempF: number
  readonly at: number
}

/** The most extreme forecast hour from `from` to `to` (hours of the day); undefined without a forecast. */
const findExtremeHour = (day: DayForecast, from: number, to: number, sign: 1 | -1): Peak | undefined => {
  let best: Peak | undefined
  for (let index = from; index < to; index++) {
    const tempF = day.hourly[index]!
    if (Number.isNaN(tempF) || (best !== undefined && sign * tempF <= sign * best.tempF)) continue
    best = { tempF, at: day.start + index * hour }
  }
  return best
}

/** The forecast high: the highest of the day's hours and maxima. A maximum is expected at its hottest hour. */
export const projectHigh = (day: DayForecast): Peak | undefined => {
  let best = findExtremeHour(day, 0, hoursPerDay, 1)
  for (const { from, to, tempF } of day.maxima) {
    if (best !== undefined && tempF <= best.tempF) continue
    const hottest = findExtremeHour(day, toHourIndex(day, from), toHourIndex(day, to), 1)
    best = { tempF, at: hottest?.at ?? (from + to) / 2 }
  }
  return best
}

/**
 * The most extreme forecast of the hours from `from` on. An interval that has begun counts only if its most extreme hour is
 * still to come: a grid keeps the maximum of the whole day even when that hour is over.
 *
 * @param from hour of the day
 * @param sign 1 for the highest, −1 for the lowest
 */
export const findExtremeAhead = (day: DayForecast, from: number, sign: 1 | -1): number | undefined => {
  let best = findExtremeHour(day, from, hoursPerDay, sign)?.tempF
  for (const interval of sign === 1 ? day.maxima : day.minima) {
    const begins = toHourIndex(day, interval.from)
    const extreme = findExtremeHour(day, Math.max(from, begins), toHourIndex(day, interval.to), sign)
    const isAhead = extreme === undefined ? begins >= from : begins >= from || toHourIndex(day, extreme.at) > from
    if (isAhead && (best === undefined || sign * interval.tempF > sign * best)) best = interval.tempF
  }
  return best
}

/**
 * The forecast for an instant: linear between the hours around it, or that of the only one in the grid. Grids begin with the
 * hour in which they were made, and the last observation is often from the hour before.
 */
export const interpolateForecast = ({ start, hourly }: DayForecast, at: number): number | undefined => {
  const index = Math.floor((at - start) / hour)
  const share = (at - start) / hour - index
  const [here, next] = [hourly[index] ?? Number.NaN, hourly[index + 1] ?? Number.NaN]
  const tempF = Number.isNaN(here) ? next : Number.isNaN(next) ? here : here + share * (next - here)
  return Number.isNaN(tempF) ? undefined : tempF
}

const toHourIndex = ({ start }: DayForecast, at: number): number =>
  Math.min(hoursPerDay, Math.max(0, Math.floor((at - start) / hour)))

/** The forecast lows of morning and evening; absent without a forecast. */
interface ProjectedLow {
  readonly morning?: number
  readonly evening?: number
}

/**
 * The lowest forecast before 09:00 and from 18:00 on, of the hours and of the minima that belong to the day. If the day is
 * coldest in between, behind a front, that minimum counts as the evening's.
 *
 * @param since epoch milliseconds: only the hours from this one on count, and intervals that begin later, because a grid
 *   keeps the minimum of the whole night during the night
 * @param reached the lowest observation so far
 */
export const projectLow = (day: DayForecast, since = day.start, reached = Number.POSITIVE_INFINITY): ProjectedLow => {
  const from = toHourIndex(day, since)
  const [, nine] = dayParts.morning
  const [eighteen] = dayParts.evening
  const lowest = (begin: number, end: number): number => {
    let low = findExtremeHour(day, Math.max(from, begin), end, -1)?.tempF ?? Number.POSITIVE_INFINITY
    for (const interval of day.minima) {
      if (since > day.start && interval.from < since) continue
      const coldest = findExtremeHour(day, toHourIndex(day, interval.from), toHourIndex(day, interval.to), -1)
      const index = toHourIndex(day, coldest?.at ?? (interval.from + interval.to) / 2)
      if (index >= Math.max(from, begin) && index < end) low = Math.min(low, interval.tempF)
    }
    return low
  }
  const morning = lowest(0, nine)
  const between = lowest(nine, eighteen)
  const late = lowest(eighteen, hoursPerDay)
  const evening = between < Math.min(reached, morning, late) ? between : late
  return { ...(Number.isFinite(morning) ? { morning } : {}), ...(Number.isFinite(evening) ? { evening } : {}) }
}

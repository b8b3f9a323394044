import { day, hour } from "../../../time.ts"
import type { Extreme, GridForecast, Observation } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"

const day24 = 24

/** Hours of local standard time in which a day's extremes occur: the morning low, the high, the evening low. */
const stretches = { morning: [0, 9], afternoon: [9, 18], evening: [18, day24] } as const
type Stretch = keyof typeof stretches
/** The share of a stretch that must have a forecast or an observation. */
const backed = 2 / 3

/** Within the records of the country, −80 to 140 °F; a value beyond is an upstream error and is ignored. */
const plausible = ({ tempF }: { readonly tempF: number }): boolean => tempF >= -80 && tempF <= 140

/** A grid cut to the hours of one climate day: degrees Fahrenheit, NaN for an hour without a value. */
export interface DayForecast {
  /** Epoch milliseconds of local standard midnight. */
  readonly start: number
  readonly hourly: Float64Array
  readonly maxima: ReadonlyArray<Extreme>
  readonly minima: ReadonlyArray<Extreme>
}

/** The forecast hours that begin in an interval. */
const within = (grid: GridForecast, { from, to }: Extreme) => grid.hourly.filter(({ at }) => at >= from && at < to)

/**
 * Whether an interval's extreme belongs to the climate day. An interval inside the day does. One across midnight, such as
 * the overnight minimum, belongs to the day of its most extreme forecast hour; without a forecast for all its hours it is
 * ignored.
 */
const belongs = (grid: GridForecast, interval: Extreme, start: number, sign: 1 | -1): boolean => {
  const end = start + day
  if (interval.from >= start && interval.to <= end) return true
  if (interval.to <= start || interval.from >= end) return false
  const hours = within(grid, interval)
  if (hours.length < Math.floor((interval.to - interval.from) / hour)) return false
  const extreme = hours.reduce((best, one) => (sign * one.tempF > sign * best.tempF ? one : best))
  return extreme.at >= start && extreme.at < end
}

/** Cuts a grid to one climate day: local standard midnight to midnight, also in summer. */
export const dayForecast = (grid: GridForecast, station: Station, day: string): DayForecast => {
  const start = climateDayStart(station, day)
  const hourly = new Float64Array(day24).fill(Number.NaN)
  for (const one of grid.hourly) {
    const index = Math.floor((one.at - start) / hour)
    if (index >= 0 && index < day24 && plausible(one)) hourly[index] = one.tempF
  }
  return {
    start,
    hourly,
    maxima: grid.maxima.filter((interval) => plausible(interval) && belongs(grid, interval, start, 1)),
    minima: grid.minima.filter((interval) => plausible(interval) && belongs(grid, interval, start, -1)),
  }
}

/**
 * The hours of the day with data: an observation for a past hour, a forecast for a future one, either for the current
 * one.
 */
export const backedHours = (
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

/** Whether the given hours cover two thirds of a stretch. */
export const covers = (hours: ReadonlyArray<boolean>, stretch: Stretch): boolean => {
  const [from, to] = stretches[stretch]
  return hours.slice(from, to).filter(Boolean).length >= backed * (to - from)
}

export const forecastHours = ({ hourly }: DayForecast): ReadonlyArray<boolean> =>
  Array.from(hourly, (tempF) => !Number.isNaN(tempF))

/** A temperature and when it is expected. */
interface Peak {
  readonly tempF: number
  readonly at: number
}

/** The most extreme forecast hour from `from` to `to` (hours of the day); undefined without a forecast. */
const extremeHour = (day: DayForecast, from: number, to: number, sign: 1 | -1): Peak | undefined => {
  let best: Peak | undefined
  for (let index = from; index < to; index++) {
    const tempF = day.hourly[index]!
    if (Number.isNaN(tempF) || (best !== undefined && sign * tempF <= sign * best.tempF)) continue
    best = { tempF, at: day.start + index * hour }
  }
  return best
}

/**
 * The forecast high of the day: the highest of its hours and of the maxima that belong to it. An interval's maximum is
 * expected at its hottest hour.
 */
export const projectedHigh = (day: DayForecast): Peak | undefined => {
  let best = extremeHour(day, 0, day24, 1)
  for (const { from, to, tempF } of day.maxima) {
    if (best !== undefined && tempF <= best.tempF) continue
    const hottest = extremeHour(day, hourIndex(day, from), hourIndex(day, to), 1)
    best = { tempF, at: hottest?.at ?? (from + to) / 2 }
  }
  return best
}

/**
 * The most extreme forecast of the hours from `from` on. An interval that has begun counts only while the hours that are
 * left go on to its extreme: a grid keeps the whole day's maximum for what is left of the day.
 *
 * @param from hour of the day
 * @param sign 1 for the highest, −1 for the lowest
 */
export const extremeAhead = (day: DayForecast, from: number, sign: 1 | -1): number | undefined => {
  let best = extremeHour(day, from, day24, sign)?.tempF
  for (const interval of sign === 1 ? day.maxima : day.minima) {
    const begins = hourIndex(day, interval.from)
    const extreme = extremeHour(day, Math.max(from, begins), hourIndex(day, interval.to), sign)
    const isAhead = extreme === undefined ? begins >= from : begins >= from || hourIndex(day, extreme.at) > from
    if (isAhead && (best === undefined || sign * interval.tempF > sign * best)) best = interval.tempF
  }
  return best
}

/**
 * The forecast for an instant: a line between the hours about it, or the one of them that there is. Grids begin with
 * the hour in which they were made, and the last reading is often from the hour before.
 */
export const forecastAt = ({ start, hourly }: DayForecast, at: number): number | undefined => {
  const index = Math.floor((at - start) / hour)
  const share = (at - start) / hour - index
  const [here, next] = [hourly[index] ?? Number.NaN, hourly[index + 1] ?? Number.NaN]
  const tempF = Number.isNaN(here) ? next : Number.isNaN(next) ? here : here + share * (next - here)
  return Number.isNaN(tempF) ? undefined : tempF
}

const hourIndex = ({ start }: DayForecast, at: number): number =>
  Math.min(day24, Math.max(0, Math.floor((at - start) / hour)))

/** The forecast minima of the day's two cold ends; absent without a forecast. */
interface ProjectedLow {
  readonly morning?: number
  readonly evening?: number
}

/**
 * The lowest forecast before 09:00 and from 18:00 on, of the hours and of the minima that belong to the day. On a day that
 * is coldest in between, behind a front, that minimum counts as the evening's.
 *
 * @param since ignores the past at this time (epoch milliseconds): counts the current hour and intervals not begun,
 *   because a grid keeps the whole night's minimum during the night
 * @param reached the lowest observation so far
 */
export const projectedLow = (day: DayForecast, since = day.start, reached = Number.POSITIVE_INFINITY): ProjectedLow => {
  const from = hourIndex(day, since)
  const [, nine] = stretches.morning
  const [eighteen] = stretches.evening
  const lowest = (begin: number, end: number): number => {
    let low = extremeHour(day, Math.max(from, begin), end, -1)?.tempF ?? Number.POSITIVE_INFINITY
    for (const interval of day.minima) {
      if (since > day.start && interval.from < since) continue
      const coldest = extremeHour(day, hourIndex(day, interval.from), hourIndex(day, interval.to), -1)
      const index = hourIndex(day, coldest?.at ?? (interval.from + interval.to) / 2)
      if (index >= Math.max(from, begin) && index < end) low = Math.min(low, interval.tempF)
    }
    return low
  }
  const morning = lowest(0, nine)
  const between = lowest(nine, eighteen)
  const late = lowest(eighteen, day24)
  const evening = between < Math.min(reached, morning, late) ? between : late
  return { ...(Number.isFinite(morning) ? { morning } : {}), ...(Number.isFinite(evening) ? { evening } : {}) }
}

import { day, hour } from "../../../time.ts"
import type { Extreme, GridForecast, Observation } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"

const day24 = 24

/** Hours of local standard time in which a day's extremes are made: the morning low, the high, the evening low. */
const stretches = { morning: [0, 9], afternoon: [9, 18], evening: [18, day24] } as const
export type Stretch = keyof typeof stretches
/** The share of a stretch that must be backed for anything to be said of it. */
const backed = 2 / 3

/** No place of the country has been colder or warmer: a forecast beyond is an upstream's error and counts as none. */
const plausible = ({ tempF }: { readonly tempF: number }): boolean => tempF >= -80 && tempF <= 140

/** A grid read by the hours of one climate day: degrees Fahrenheit, NaN where it has none. */
export interface DayForecast {
  /** Epoch milliseconds of local standard midnight. */
  readonly start: number
  readonly hourly: Float64Array
  readonly maxima: ReadonlyArray<Extreme>
  readonly minima: ReadonlyArray<Extreme>
}

/** The forecast temperatures within an interval: the hours that begin in it. */
const within = (grid: GridForecast, { from, to }: Extreme) => grid.hourly.filter(({ at }) => at >= from && at < to)

/**
 * Whether an interval's extreme belongs to the climate day. One that lies inside does. One that straddles midnight, as
 * the overnight minimum does, belongs to the day of its most extreme forecast hour; where the hours do not cover the
 * interval that cannot be told, and it is left out.
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
 * Which hours of the day something stands behind: a reading for an hour that is over, a forecast for one to come, either
 * for the one that is running.
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

/** Whether enough hours of a stretch are among those given. */
export const covers = (hours: ReadonlyArray<boolean>, stretch: Stretch): boolean => {
  const [from, to] = stretches[stretch]
  return hours.slice(from, to).filter(Boolean).length >= backed * (to - from)
}

export const forecastHours = ({ hourly }: DayForecast): ReadonlyArray<boolean> =>
  Array.from(hourly, (tempF) => !Number.isNaN(tempF))

/** A temperature and when it is expected. */
export interface Peak {
  readonly tempF: number
  readonly at: number
}

/** The most extreme forecast hour from `from` to `to` (hours of the day), if any has a forecast. */
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
 * The forecast high of the day: the highest of its hours and of the maxima that belong to it, whichever is higher. An
 * interval's maximum is expected at its hottest hour.
 */
export const projectedHigh = (day: DayForecast): Peak | undefined => {
  let best = extremeHour(day, 0, day24, 1)
  for (const { from, to, tempF } of day.maxima) {
    if (best !== undefined && tempF <= best.tempF) continue
    const hottest = extremeHour(day, hourOf(day, from), hourOf(day, to), 1)
    best = { tempF, at: hottest?.at ?? (from + to) / 2 }
  }
  return best
}

const hourOf = ({ start }: DayForecast, at: number): number =>
  Math.min(day24, Math.max(0, Math.floor((at - start) / hour)))

/** The forecast minima of the day's two cold ends; a part without a forecast is absent. */
export interface ProjectedLow {
  readonly morning?: number
  readonly evening?: number
}

/**
 * The lowest forecast before 09:00 and from 18:00 on, of hours and of the minima that belong to the day. A day that is
 * coldest between the two, behind a front, counts that with the evening.
 *
 * @param since only what is still to come at this time (epoch milliseconds): the hour that is running, and intervals not
 *   begun, for a grid goes on giving the whole night's minimum for what is left of it
 * @param reached the lowest reading so far
 */
export const projectedLow = (day: DayForecast, since = day.start, reached = Number.POSITIVE_INFINITY): ProjectedLow => {
  const from = hourOf(day, since)
  const [, nine] = stretches.morning
  const [eighteen] = stretches.evening
  const lowest = (begin: number, end: number): number => {
    let low = extremeHour(day, Math.max(from, begin), end, -1)?.tempF ?? Number.POSITIVE_INFINITY
    for (const interval of day.minima) {
      if (since > day.start && interval.from < since) continue
      const coldest = extremeHour(day, hourOf(day, interval.from), hourOf(day, interval.to), -1)
      const index = hourOf(day, coldest?.at ?? (interval.from + interval.to) / 2)
      if (index >= Math.max(from, begin) && index < end) low = Math.min(low, interval.tempF)
    }
    return low
  }
  const morning = lowest(0, nine)
  const between = lowest(nine, eighteen)
  const late = lowest(eighteen, day24)
  const evening = between < Math.min(reached, morning, late) ? between : late
  return {
    ...(Number.isFinite(morning) ? { morning } : {}),
    ...(Number.isFinite(evening) ? { evening } : {}),
  }
}

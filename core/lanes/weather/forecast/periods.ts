import type * as DateTime from "effect/DateTime"
import { hour, iso } from "../../../time.ts"
import { offsetsOver, stampAt } from "../../../zones.ts"
import type { Forecast } from "../fields.ts"

type Wire = Forecast["periods"][number]

/** One period of a forecast, its ends in epoch milliseconds. */
export type Period = Omit<Wire, "start" | "end"> & { readonly startsAt: number; readonly endsAt: number }

/**
 * The periods that start within `hours` and are not over, in order of time. A period that starts before the previous
 * one's end is a repetition and is dropped.
 */
export const cut = (periods: ReadonlyArray<Period>, now: number, hours: number): ReadonlyArray<Period> => {
  let end = Number.NEGATIVE_INFINITY
  return periods
    .filter(({ startsAt, endsAt }) => startsAt < now + hours * hour && endsAt > now && endsAt > startsAt)
    .sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt)
    .filter(({ startsAt, endsAt }) => {
      if (startsAt < end) return false
      end = endsAt
      return true
    })
}

/** The share of the next `hours` that cut periods cover, 0–1. */
export const coverage = (periods: ReadonlyArray<Period>, now: number, hours: number): number => {
  const until = now + hours * hour
  const covered = periods.reduce(
    (sum, { startsAt, endsAt }) => sum + Math.min(endsAt, until) - Math.max(startsAt, now),
    0,
  )
  return Math.min(1, covered / (until - now))
}

/** Ordered periods on the wire, with local start and end times. */
export const onClocks = (periods: ReadonlyArray<Period>, zone: DateTime.TimeZone): ReadonlyArray<Wire> => {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return []
  const offset = offsetsOver(zone, first.startsAt, last.endsAt)
  const stamp = (at: number): string => stampAt(at, offset(at))
  return periods.map(({ startsAt, endsAt, name, ...rest }) => ({
    name,
    start: stamp(startsAt),
    end: stamp(endsAt),
    ...rest,
  }))
}

/** By the clocks of the point: offices begin days at six, and nights twelve hours later. */
const [morning, evening] = [6, 18] as const

/** Periods that may be on the wrong side of the clock, as a share, and one in any case. */
const mostBeside = 0.05

/** The periods that are on the wrong side of a clock, by its offset from UTC in milliseconds. */
const misplacedPeriods = (periods: ReadonlyArray<Period>, offset: (at: number) => number): ReadonlyArray<Period> => {
  const isDayAt = (at: number): boolean => {
    const localHour = new Date(at + offset(at)).getUTCHours()
    return localHour >= morning && localHour < evening
  }
  return periods.filter(({ startsAt, endsAt, is_day }) =>
    [startsAt, (startsAt + endsAt) / 2, endsAt - 1].some((at) => isDayAt(at) !== is_day),
  )
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Days and nights of fewer may be those of a cold front. */
const fewest = 3

/**
 * Why a point's periods contradict the clocks of the point, or days that are no warmer than nights; undefined: they do not.
 * Hours say nothing of an hour's shift: the grid has no other hours to compare them with.
 */
export const implausiblePeriods = (periods: ReadonlyArray<Period>, zone: DateTime.TimeZone): string | undefined => {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const offset = offsetsOver(zone, first.startsAt, last.endsAt)
  // An office may keep the clock of the first period for those after a change.
  const [beside] = [offset, () => offset(first.startsAt)]
    .map((clock) => misplacedPeriods(periods, clock))
    .sort((a, b) => a.length - b.length) as [ReadonlyArray<Period>]
  if (beside.length > Math.max(1, mostBeside * periods.length)) {
    const [{ startsAt, is_day }] = beside as [Period]
    return `${beside.length} of ${periods.length} periods are at another time of the day than isDaytime says: from ${iso(startsAt)} it is ${is_day}.`
  }
  const halves = periods.filter(({ startsAt, endsAt }) => endsAt - startsAt > 6 * hour)
  const temperatures = (isDay: boolean): ReadonlyArray<number> =>
    halves.filter(({ is_day }) => is_day === isDay).map(({ temp_f }) => temp_f)
  const [days, nights] = [temperatures(true), temperatures(false)]
  return Math.min(days.length, nights.length) < fewest || mean(days) > mean(nights)
    ? undefined
    : `temperature is ${mean(days).toFixed(0)} °F by day and ${mean(nights).toFixed(0)} °F by night: its values are shifted.`
}

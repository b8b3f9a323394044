import type * as DateTime from "effect/DateTime"
import { mean } from "../../../math/mean.ts"
import { hour, iso } from "../../../time.ts"
import { offsetsOver, stampAt } from "../../../zones.ts"
import type { Forecast } from "../fields.ts"

type WirePeriod = Forecast["periods"][number]

/** One period of a forecast; `startsAt` and `endsAt` are epoch milliseconds. */
export type Period = Omit<WirePeriod, "start" | "end"> & { readonly startsAt: number; readonly endsAt: number }

/**
 * The periods that start within `hours` and are not over, in order of time. A period that starts before the previous
 * one's end is a repetition and is dropped.
 */
export const cutToWindow = (periods: ReadonlyArray<Period>, now: number, hours: number): ReadonlyArray<Period> => {
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

/** The share of the next `hours` that the periods of the window cover, 0–1. */
export const coverage = (periods: ReadonlyArray<Period>, now: number, hours: number): number => {
  const until = now + hours * hour
  const covered = periods.reduce(
    (sum, { startsAt, endsAt }) => sum + Math.min(endsAt, until) - Math.max(startsAt, now),
    0,
  )
  return Math.min(1, covered / (until - now))
}

/** Periods with local start and end times; they have to be in order. */
export const toLocalTimes = (periods: ReadonlyArray<Period>, zone: DateTime.TimeZone): ReadonlyArray<WirePeriod> => {
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

/** Local hours: offices begin days at six in the morning, and nights twelve hours later. */
const [morning, evening] = [6, 18] as const

/** The share of periods that may be labelled day or night wrongly; one may be in any case. */
const maxMisplacedShare = 0.05

/** The periods wrongly labelled day or night; `offset` is that of local time from UTC, milliseconds. */
const misplacedPeriods = (periods: ReadonlyArray<Period>, offset: (at: number) => number): ReadonlyArray<Period> => {
  const isDayAt = (at: number): boolean => {
    const localHour = new Date(at + offset(at)).getUTCHours()
    return localHour >= morning && localHour < evening
  }
  return periods.filter(({ startsAt, endsAt, is_day }) =>
    [startsAt, (startsAt + endsAt) / 2, endsAt - 1].some((at) => isDayAt(at) !== is_day),
  )
}

/** With fewer days or nights, warmer nights may be the work of a front. */
const minPerHalf = 3

/**
 * Why a point's periods are implausible: they contradict local time, or days are no warmer than nights. Undefined if they
 * are plausible. A shift of hourly periods by an hour or two goes unnoticed.
 */
export const whyImplausiblePeriods = (periods: ReadonlyArray<Period>, zone: DateTime.TimeZone): string | undefined => {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const offset = offsetsOver(zone, first.startsAt, last.endsAt)
  // After a change to or from daylight time, an office may keep the offset of the first period.
  const [misplaced] = [offset, () => offset(first.startsAt)]
    .map((clock) => misplacedPeriods(periods, clock))
    .sort((a, b) => a.length - b.length) as [ReadonlyArray<Period>]
  if (misplaced.length > Math.max(1, maxMisplacedShare * periods.length)) {
    const [{ startsAt, is_day }] = misplaced as [Period]
    return `${misplaced.length} of ${periods.length} periods have an isDaytime that contradicts local time: from ${iso(startsAt)} it is ${is_day}.`
  }
  const halves = periods.filter(({ startsAt, endsAt }) => endsAt - startsAt > 6 * hour)
  const temperatures = (isDay: boolean): ReadonlyArray<number> =>
    halves.filter(({ is_day }) => is_day === isDay).map(({ temp_f }) => temp_f)
  const [days, nights] = [temperatures(true), temperatures(false)]
  return Math.min(days.length, nights.length) < minPerHalf || mean(days) > mean(nights)
    ? undefined
    : `temperature is ${mean(days).toFixed(0)} °F by day and ${mean(nights).toFixed(0)} °F by night: its values are shifted.`
}

import type * as DateTime from "effect/DateTime"
import { hour, iso } from "../../../time.ts"
import { offsetsOver } from "./localTime.ts"
import type { Period } from "./periods.ts"

/** By the clocks of the point: offices begin days at six, and nights twelve hours later. */
const [morning, evening] = [6, 18] as const

/** Periods that may be on the wrong side of the clock, as a share, and one in any case. */
const mostBeside = 0.05

/** The periods that are on the wrong side of a clock, by its offset from UTC in milliseconds. */
const besideOf = (periods: ReadonlyArray<Period>, offset: (at: number) => number): ReadonlyArray<Period> => {
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
    .map((clock) => besideOf(periods, clock))
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

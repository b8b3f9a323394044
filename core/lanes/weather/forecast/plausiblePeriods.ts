import type * as DateTime from "effect/DateTime"
import { hour, iso } from "../../../time.ts"
import { offsetsOver } from "./localTime.ts"
import type { Period } from "./periods.ts"

/** By the clocks of the point: offices begin days at six, and nights twelve hours later. */
const [morning, evening] = [6, 18] as const

/** Hours that a period may be beside the clock: an office may keep the old one for periods after a change. */
const slack = 1

/** Periods that may be on the wrong side of the clock, as a share, and one in any case. */
const mostBeside = 0.05

/** Whether a time of a day, hours, may be in one of its periods by day or by night. */
const fits = (localHour: number, isDay: boolean): boolean =>
  isDay
    ? localHour >= morning - slack && localHour < evening + slack
    : localHour < morning + slack || localHour >= evening - slack

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
  const localHour = (at: number): number => new Date(at + offset(at)).getUTCHours()
  const beside = periods.filter(({ startsAt, endsAt, is_day }) =>
    [startsAt, (startsAt + endsAt) / 2, endsAt - 1].some((at) => !fits(localHour(at), is_day)),
  )
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

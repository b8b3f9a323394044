import type { Hint } from "../../Failure.ts"
import { addDays } from "../../time.ts"
import { byId, climateDay, daysBetween } from "./stations.ts"

const change = (field: string, suggestion: string): Hint => ({ field, action: "change", suggestion })

/** The rule of a range of days: in order, and at most 400. */
export const ordered = (start: string | undefined, end: string | undefined): ReadonlyArray<Hint> => {
  if (start === undefined || end === undefined) return []
  if (start > end) return [change("end", "end must not be before start.")]
  return daysBetween(start, end) >= 400
    ? [change("end", "start to end must span at most 400 days, both included.")]
    : []
}

/**
 * The rule of days with a report: each has begun, by the climate day of its station.
 *
 * @param days by the names of their parameters
 */
export const begun = (
  station: string | undefined,
  days: Readonly<Record<string, string | undefined>>,
  now: number,
): ReadonlyArray<Hint> => {
  if (station === undefined) return []
  const today = climateDay(byId.get(station)!, now)
  return Object.entries(days).flatMap(([field, day]) =>
    day === undefined || day <= today
      ? []
      : [change(field, `${field} must not be in the future; the climate day at ${station} is ${today}.`)],
  )
}

/** Days ahead that are forecast. */
const farthest = 6

/** The rule of a day that is forecast: the one that is under way at its station, or one of the next six. */
export const ahead = (station: string | undefined, target: string | undefined, now: number): ReadonlyArray<Hint> => {
  if (station === undefined || target === undefined) return []
  const today = climateDay(byId.get(station)!, now)
  const last = addDays(today, farthest)
  return target >= today && target <= last
    ? []
    : [change("target", `target must be from ${today}, the climate day at ${station}, to ${last}.`)]
}

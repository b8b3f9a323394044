import type { Hint } from "../../Failure.ts"
import { addDays } from "../../time.ts"
import { byId, climateDay, daysBetween } from "./stations.ts"

const change = (field: string, suggestion: string): Hint => ({ field, action: "change", suggestion })

/** Checks a range of days: in order, at most 400. */
export const ordered = (start: string | undefined, end: string | undefined): ReadonlyArray<Hint> => {
  if (start === undefined || end === undefined) return []
  if (start > end) return [change("end", "end must not be before start.")]
  return daysBetween(start, end) >= 400
    ? [change("end", "end must be at most 399 days after start (400 days, inclusive).")]
    : []
}

/**
 * Checks days with a report: each has begun by the station's climate day.
 *
 * @param days by parameter name
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

/** Checks a forecast day: the station's current climate day, or one of the next six. */
export const ahead = (station: string | undefined, target: string | undefined, now: number): ReadonlyArray<Hint> => {
  if (station === undefined || target === undefined) return []
  const today = climateDay(byId.get(station)!, now)
  const last = addDays(today, farthest)
  return target >= today && target <= last
    ? []
    : [change("target", `target must be from ${today}, the climate day at ${station}, to ${last}.`)]
}

import { day as dayLength, hour, minute } from "../../../time.ts"
import { offsetAt, zoneOf } from "../forecast/localTime.ts"
import { climateDayStart, type Station } from "../stations.ts"
import type { ClimateReport } from "./ClimateReport.ts"

/** Usual time from VALID AS OF to the issue. */
const usualDelay = 45 * minute

const printed = /^(\d{1,2}):?(\d{2}) ([AP])M$/

/** Milliseconds after midnight of a 12-hour clock as printed: `0400 PM`, `4:00 PM`. */
const clockOf = (text: string): number | undefined => {
  const [, hours, minutes, half] = printed.exec(text) ?? []
  return hours === undefined
    ? undefined
    : ((Number(hours) % 12) + (half === "P" ? 12 : 0)) * hour + Number(minutes) * minute
}

/**
 * The time up to which a report covers its day, epoch milliseconds: the last time before the issue at which the office's
 * clocks, in daylight time where it is used, showed the printed VALID AS OF. Without that line, or if that time is before
 * the day or after the issue, 45 minutes before the issue.
 */
export const validUntil = (
  station: Pick<Station, "standardOffset" | "tz">,
  day: string,
  { validAsOf, issuedAt }: Pick<ClimateReport, "validAsOf"> & { readonly issuedAt: number },
): number => {
  const start = climateDayStart(station, day)
  const fallback = Math.max(start, issuedAt - usualDelay)
  const clock = validAsOf === undefined ? undefined : clockOf(validAsOf)
  if (clock === undefined) return fallback
  const zone = zoneOf(station.tz)
  const offset = zone === undefined ? station.standardOffset * hour : offsetAt(zone, issuedAt)
  const midnight = Math.floor((issuedAt + offset) / dayLength) * dayLength - offset
  const last = midnight + clock <= issuedAt ? midnight + clock : midnight + clock - dayLength
  return last < start ? fallback : last
}

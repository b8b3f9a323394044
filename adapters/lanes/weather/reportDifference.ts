import type { Versions } from "../../../core/lanes/weather/ports.ts"
import { daysBetween } from "../../../core/lanes/weather/stations.ts"
import { plural } from "../../../core/text.ts"
import { hour } from "../../../core/time.ts"

type Maybe<A extends ReadonlyArray<unknown>> = A | readonly []

/** Greatest difference of issue times, hours. */
const maxHours = 12

const versionsDiffer = ([mock]: Maybe<Versions>, [live]: Maybe<Versions>): string | undefined => {
  if (mock === undefined || live === undefined) {
    return mock === live ? undefined : `${mock === undefined ? "only live" : "only mock"} has a report of the day`
  }
  const status = [mock.report.status, live.report.status]
  if (status[0] !== status[1]) return `mock: ${status[0]}; live: ${status[1]}`
  // Corrections have no schedule.
  if (mock.report.correction || live.report.correction) return undefined
  const hours = Math.round((live.issuedAt - mock.issuedAt) / hour)
  if (Math.abs(hours) <= maxHours) return undefined
  return `the live report was issued ${plural(Math.abs(hours), "hour")} ${hours > 0 ? "later" : "earlier"}`
}

const lastDaysDiffer = (mock: string | undefined, live: string | undefined): string | undefined => {
  if (mock === undefined || live === undefined) {
    return mock === live ? undefined : `${mock === undefined ? "only live" : "only mock"} has a report`
  }
  const behind = daysBetween(live, mock)
  // Around midnight one side may be a day ahead.
  return Math.abs(behind) <= 1
    ? undefined
    : `live is ${plural(Math.abs(behind), "day")} ${behind > 0 ? "behind" : "ahead"}`
}

const finalDays = (days: ReadonlyArray<Versions>): ReadonlyArray<string> =>
  days.filter(([{ report }]) => report.status === "final").map(([{ report }]) => report.day)

const rangesDiffer = (mock: ReadonlyArray<Versions>, live: ReadonlyArray<Versions>): string | undefined => {
  const found = new Set(finalDays(live))
  // The newest report may be missing on one side.
  const expected = finalDays(mock).slice(0, -1)
  const lacking = expected.filter((day) => !found.has(day))
  return lacking.length === 0
    ? undefined
    : `live lacks ${lacking.length} of ${plural(expected.length, "day")}, ${lacking[0]} first`
}

/**
 * Differences of live reports from mock ones. Their values never agree: compares the days, their status and their issue
 * times.
 */
export const reportsDiffer = (mock: unknown, live: unknown, method: string): string | undefined => {
  switch (method) {
    case "versions":
      return versionsDiffer(mock as Maybe<Versions>, live as Maybe<Versions>)
    case "range":
      return rangesDiffer(mock as ReadonlyArray<Versions>, live as ReadonlyArray<Versions>)
    case "coverage": {
      const [expected, found] = [mock, live] as ReadonlyArray<{ readonly last: string } | undefined>
      return lastDaysDiffer(expected?.last, found?.last)
    }
    default:
      return lastDaysDiffer(mock as string | undefined, live as string | undefined)
  }
}

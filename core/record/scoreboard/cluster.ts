import type { Domain } from "../../call/Contract.ts"
import { day, dayOf, hour } from "../../time.ts"

/**
 * The first day of the seven that hold a day, YYYY-MM-DD.
 *
 * @param at any instant of the day, epoch milliseconds
 * @param starts the weekday that weeks begin with, 0 for Sunday
 */
const clusterWeek = (at: number, starts: number): string => {
  // 1 January 1970 was a Thursday.
  const weekday = (Math.floor(at / day) + 4) % 7
  return dayOf(at - ((weekday - starts + 7) % 7) * day)
}

/** The day of an instant in America: games and climate days of the evening before end by 10:00 UTC. */
const american = (at: number): number => at - 10 * hour

/** The Monday of a week: a weather system moves the errors of neighbouring days, and of all stations under it, together. */
export const weatherWeek = (at: number): string => clusterWeek(at, 1)

/**
 * What contracts come out together, by the instant of their close: those of one week share the weather, of all stations and
 * both extremes; football's weeks end with the night of Tuesday, to which games are put off; a slate of baseball is a day;
 * an hour moves both assets, and hours of one day go on from each other. A close at midnight ends its day.
 */
const clusters: Readonly<Record<Domain, (closeTime: number) => string>> = {
  weather: (closeTime) => weatherWeek(american(closeTime)),
  nfl: (closeTime) => clusterWeek(american(closeTime), 3),
  mlb: (closeTime) => dayOf(american(closeTime)),
  crypto: (closeTime) => dayOf(closeTime - 1),
}

/** The cluster of a contract, `<domain>/<first day>`: intervals draw whole clusters. */
export const clusterName = ({ domain, closeTime }: { readonly domain: Domain; readonly closeTime: number }): string =>
  `${domain}/${clusters[domain](closeTime)}`

import type { Domain } from "../../call/Contract.ts"
import { day, dayOf, hour } from "../../time.ts"

/**
 * The first day of the week that contains a day, YYYY-MM-DD.
 *
 * @param at any instant of the day, epoch milliseconds
 * @param starts the weekday that weeks begin with, 0 for Sunday
 */
const clusterWeek = (at: number, starts: number): string => {
  // 1 January 1970 was a Thursday.
  const weekday = (Math.floor(at / day) + 4) % 7
  return dayOf(at - ((weekday - starts + 7) % 7) * day)
}

/** Shifts an instant to the American day: games and climate days of an evening end by 10:00 UTC. */
const toAmerican = (at: number): number => at - 10 * hour

/** The Monday of a week: a weather system moves the errors of neighbouring days, and of all stations under it, together. */
export const weatherWeek = (at: number): string => clusterWeek(at, 1)

/**
 * Which contracts depend on each other, by the time of their close: those of a week share the weather, at all stations and for
 * both extremes; a football week ends on Tuesday night, to which games are postponed; a baseball slate is a day; crypto
 * prices of a day follow from each other, in both assets. A close at midnight ends its day.
 */
const clusters: Readonly<Record<Domain, (closeTime: number) => string>> = {
  weather: (closeTime) => weatherWeek(toAmerican(closeTime)),
  nfl: (closeTime) => clusterWeek(toAmerican(closeTime), 3),
  mlb: (closeTime) => dayOf(toAmerican(closeTime)),
  crypto: (closeTime) => dayOf(closeTime - 1),
}

/** The cluster of a contract, `<domain>/<first day>`. Bootstrap intervals resample whole clusters. */
export const clusterName = ({ domain, closeTime }: { readonly domain: Domain; readonly closeTime: number }): string =>
  `${domain}/${clusters[domain](closeTime)}`

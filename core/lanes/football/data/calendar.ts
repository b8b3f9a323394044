import * as DateTime from "effect/DateTime"
import type { Hint } from "../../../Failure.ts"
import { addDays, day } from "../../../time.ts"
import { change } from "../../answers.ts"
import { eastern, type Game, kickoffTime } from "./Game.ts"

/** The day in US Eastern time. */
export const easternDay = (millis: number): string =>
  DateTime.formatIsoDate(DateTime.unsafeMakeZoned(millis, { timeZone: eastern }))

/** The Thursday after Labor Day, the first Monday of September: the start of a season's games and statistics. */
export const seasonOpens = (season: number): string => {
  const first = new Date(Date.UTC(season, 8, 1)).getUTCDay()
  return addDays(`${season}-09-01`, ((8 - first) % 7) + 3)
}

/** The year in US Eastern time. */
export const easternYear = (millis: number): number => Number(easternDay(millis).slice(0, 4))

/** The season whose games and statistics are current. */
export const gamesSeason = (millis: number): number => {
  const day = easternDay(millis)
  const year = Number(day.slice(0, 4))
  return day >= seasonOpens(year) ? year : year - 1
}

/** The season whose rosters and reserve lists are current: the new one from 15 March. */
export const rosterSeason = (millis: number): number => {
  const day = easternDay(millis)
  const year = Number(day.slice(0, 4))
  return day >= `${year}-03-15` ? year : year - 1
}

/**
 * Checks that a season is not too late.
 *
 * @param latest the last valid season at a time, epoch milliseconds
 * @param what its name, as an apposition
 */
export const notAfter =
  (latest: (millis: number) => number, what: string) =>
  ({ season }: { readonly season?: number }, _bad: ReadonlySet<string>, now: number): ReadonlyArray<Hint> => {
    if (season === undefined) return []
    const last = latest(now)
    return season <= last ? [] : [change("season", `season must not be after ${last}${what}.`)]
  }

/** The weeks of a season, playoffs included: 17 of the regular season and 4 rounds, from 2021 on 18. */
export const weekCount = (season: number): number => (season < 2021 ? 21 : 22)

/** Checks that a season has begun and has the week. */
export const inSeason = (latest: (millis: number) => number, what: string) => {
  const begun = notAfter(latest, what)
  return (
    { season, week = 1 }: { readonly season?: number; readonly week?: number },
    bad: ReadonlySet<string>,
    now: number,
  ): ReadonlyArray<Hint> => {
    const hints = begun(season === undefined ? {} : { season }, bad, now)
    const asked = season ?? latest(now)
    const weeks = weekCount(asked)
    return week <= weeks ? hints : [...hints, change("week", `Season ${asked} has weeks 1 to ${weeks}.`)]
  }
}

/** A game without a final this long after its kickoff counts as called off. */
export const calledOffAfter: number = 14 * day

/** The earliest possible kickoff. */
const earliest = "09:00"

/** Epoch milliseconds of the kickoff; without a time of day, an instant before any possible one. */
export const kickoffAt = (game: Game): number => kickoffTime(game) ?? kickoffTime({ ...game, kickoff: earliest })!

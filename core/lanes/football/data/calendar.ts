import * as DateTime from "effect/DateTime"
import type { Hint } from "../../../Failure.ts"
import { addDays, day } from "../../../time.ts"
import { change } from "../../answers.ts"
import { eastern, type Game, toKickoffTime } from "./Game.ts"

export const toEasternDay = (millis: number): string =>
  DateTime.formatIsoDate(DateTime.unsafeMakeZoned(millis, { timeZone: eastern }))

/** The day on which a season's games begin: the Thursday after Labor Day, which is the first Monday of September. */
export const findOpeningDay = (season: number): string => {
  const first = new Date(Date.UTC(season, 8, 1)).getUTCDay()
  return addDays(`${season}-09-01`, ((8 - first) % 7) + 3)
}

export const toEasternYear = (millis: number): number => Number(toEasternDay(millis).slice(0, 4))

/** The season whose games and statistics are current. */
export const findGamesSeason = (millis: number): number => {
  const day = toEasternDay(millis)
  const year = Number(day.slice(0, 4))
  return day >= findOpeningDay(year) ? year : year - 1
}

/** The season whose rosters and reserve lists are current: the new one from 15 March. */
export const findRosterSeason = (millis: number): number => {
  const day = toEasternDay(millis)
  const year = Number(day.slice(0, 4))
  return day >= `${year}-03-15` ? year : year - 1
}

/**
 * Makes a check that a season is not too late.
 *
 * @param latest gives the last valid season at an instant, epoch milliseconds
 * @param what words that follow the last valid season in the message, such as ", the current season"
 */
export const checkSeason =
  (latest: (millis: number) => number, what: string) =>
  ({ season }: { readonly season?: number }, _bad: ReadonlySet<string>, now: number): ReadonlyArray<Hint> => {
    if (season === undefined) return []
    const last = latest(now)
    return season <= last ? [] : [change("season", `season must not be after ${last}${what}.`)]
  }

/** The number of weeks of a season: 17 of the regular season, 18 from 2021 on, and 4 playoff rounds. */
export const countWeeks = (season: number): number => (season < 2021 ? 21 : 22)

/** Makes a check that a season has begun and has the week. */
export const checkSeasonAndWeek = (latest: (millis: number) => number, what: string) => {
  const begun = checkSeason(latest, what)
  return (
    { season, week = 1 }: { readonly season?: number; readonly week?: number },
    bad: ReadonlySet<string>,
    now: number,
  ): ReadonlyArray<Hint> => {
    const hints = begun(season === undefined ? {} : { season }, bad, now)
    const asked = season ?? latest(now)
    const weeks = countWeeks(asked)
    return week <= weeks ? hints : [...hints, change("week", `Season ${asked} has weeks 1 to ${weeks}.`)]
  }
}

/** A game without a final this long after its kickoff counts as called off, milliseconds. */
export const calledOffAfterMs: number = 14 * day

const earliestKickoff = "09:00"

/** Epoch milliseconds of the kickoff; without a time of day, an instant that no kickoff precedes. */
export const toKickoffAt = (game: Game): number =>
  toKickoffTime(game) ?? toKickoffTime({ ...game, kickoff: earliestKickoff })!

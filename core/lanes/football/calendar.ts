import * as DateTime from "effect/DateTime"
import { type Game, kickoffOf } from "./Game.ts"

const dayMs = 86_400_000

/** A day of the calendar so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The day in US Eastern time, in which the league keeps its schedule. */
export const easternDay = (millis: number): string =>
  DateTime.formatIsoDate(DateTime.unsafeMakeZoned(millis, { timeZone: "America/New_York" }))

/** The Thursday after Labor Day, the first Monday of September: games and statistics of a season begin with it. */
export const seasonOpens = (season: number): string => {
  const first = new Date(Date.UTC(season, 8, 1)).getUTCDay()
  return addDays(`${season}-09-01`, ((8 - first) % 7) + 3)
}

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

/** No game has ever begun earlier in the day. */
const earliest = "09:00"

/** Epoch milliseconds of the kickoff; of a game without a time of day, an instant before any that it may have. */
export const kickoffAt = (game: Game): number => kickoffOf(game) ?? kickoffOf({ ...game, kickoff: earliest })!

import * as Either from "effect/Either"
import type { FileFormat } from "../../../core/csv/FileFormat.ts"
import { type Row, rowError, textIn } from "../../../core/csv/row.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import type { Injured } from "../../../core/lanes/football/data/fileRows.ts"
import { formats } from "../../../core/lanes/football/data/formats.ts"
import { kickoffOf, type Side } from "../../../core/lanes/football/data/Game.ts"
import { marginDistribution } from "../../../core/lanes/football/model/distributions.ts"
import { blendFor } from "../../../core/lanes/football/model/Model.ts"
import type { Played } from "../lanes/football/data.ts"
import type { Forecasts } from "../lanes/football/task.ts"

/** A row of an injury report, and when it was last changed. */
export interface Reported extends Injured {
  /** Epoch milliseconds; absent in files of before 2010 and from 2026 on. */
  readonly modified?: number
}

const modifiedIn = (row: Row) => {
  const text = textIn(row, "date_modified")
  if (text === undefined) return Either.right(undefined)
  const modified = Date.parse(text)
  return Number.isFinite(modified) ? Either.right(modified) : rowError("date_modified", `"${text}" is not a time.`)
}

/** nflverse's injury reports with the time of each row. */
export const reported: FileFormat<"injuries", Reported> = {
  ...formats.injuries,
  read: (row) =>
    Either.gen(function* () {
      const injured = yield* formats.injuries.read(row)
      const modified = yield* modifiedIn(row)
      return injured === undefined ? undefined : { ...injured, ...(modified !== undefined && { modified }) }
    }),
}

/** Statuses of players who do not play: nearly all of the doubtful do not either. */
const missing: ReadonlySet<string> = new Set(["Out", "Doubtful"])

/** The rows of each team's week. */
export type Reports = ReadonlyMap<string, ReadonlyArray<Reported>>

const keyOf = ({ season, week }: Pick<Played, "season" | "week">, team: string): string => `${season}/${week}/${team}`

export const reportsOf = (rows: ReadonlyArray<Reported>): Reports => {
  const reports = new Map<string, Array<Reported>>()
  for (const row of rows) {
    const key = keyOf(row, row.team)
    const own = reports.get(key)
    if (own === undefined) reports.set(key, [row])
    else own.push(row)
  }
  return reports
}

/** Which rows count: those not changed after kickoff, or all as the file has them now. */
export type Reading = "known before kickoff" | "as filed"

/**
 * How many more players are out or doubtful on the visiting side than on the home side.
 *
 * @returns undefined where one of the two teams has no report of the week, or the game no time of kickoff
 */
export const advantageOf = (reports: Reports, game: Played, reading: Reading): number | undefined => {
  const kickoff = kickoffOf(game)
  const count = ({ team }: Side): number | undefined =>
    reports
      .get(keyOf(game, team))
      ?.filter(
        ({ reportStatus = "", modified }) =>
          missing.has(reportStatus) &&
          (reading === "as filed" || modified === undefined || (kickoff !== undefined && modified <= kickoff)),
      ).length
  const [home, away] = [count(game.home), count(game.away)]
  return kickoff === undefined || home === undefined || away === undefined ? undefined : away - home
}

/** How many entries of a season say out or doubtful, and how many of these were changed after the game's kickoff. */
export const changedLate = (
  reports: Reports,
  games: ReadonlyArray<Played>,
): ReadonlyMap<number, { readonly entries: number; readonly late: number }> => {
  const seasons = new Map<number, { entries: number; late: number }>()
  for (const game of games) {
    const kickoff = kickoffOf(game)
    for (const { team } of [game.home, game.away]) {
      for (const { reportStatus = "", modified } of reports.get(keyOf(game, team)) ?? []) {
        if (kickoff === undefined || !missing.has(reportStatus)) continue
        const season = getOrMake(seasons, game.season, () => ({ entries: 0, late: 0 }))
        season.entries += 1
        if (modified !== undefined && modified > kickoff) season.late += 1
      }
    }
  }
  return seasons
}

/** The seasons before that a coefficient is fitted on, as the blend's. */
const memory = 10
/** A coefficient needs so many games. */
const fewest = 500

/** A game with reports of both teams. */
export interface Counted {
  readonly game: Played
  readonly advantage: number
}

/** Points per player missing, least squares of the served model's errors in the ten seasons before. */
export const coefficientFor = (
  season: number,
  counted: ReadonlyArray<Counted>,
  served: Forecasts,
): number | undefined => {
  let [games, xx, xy] = [0, 0, 0]
  for (const { game, advantage } of counted) {
    const forecast = served.get(game.id)
    if (forecast === undefined || game.season >= season || game.season < season - memory) continue
    games += 1
    xx += advantage ** 2
    xy += advantage * (game.score.home - game.score.away - forecast.homeMargin)
  }
  return games < fewest || xx === 0 ? undefined : xy / xx
}

/** The served forecasts moved by the reports, of the games with both, each season by the coefficient of earlier ones. */
export const adjusted = (counted: ReadonlyArray<Counted>, served: Forecasts): Forecasts => {
  const coefficients = new Map<number, number | undefined>()
  return new Map(
    counted.flatMap(({ game, advantage }) => {
      const { season, id } = game
      if (!coefficients.has(season)) coefficients.set(season, coefficientFor(season, counted, served))
      const [forecast, points] = [served.get(id), coefficients.get(season)]
      if (forecast === undefined || points === undefined) return []
      const { sigma, weights } = blendFor(season)
      const homeMargin = forecast.homeMargin + points * advantage
      return [[id, { homeMargin, winHome: marginDistribution(homeMargin, sigma, weights).winHome }] as const]
    }),
  )
}

import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import type { Row, RowError } from "../../core/csv/row.ts"
import { gameOf } from "../../core/lanes/football/data/Game.ts"
import { linesOf, type MarketLines } from "../../core/lanes/football/data/lines.ts"
import { type TeamWeeks, teamWeekOf, teamWeeks } from "../../core/lanes/football/data/TeamWeek.ts"
import { readCsv } from "./csvFile.ts"
import type { Played } from "./footballBaselines.ts"

/** Training data, and the market lines for comparison. */
export interface FootballData {
  /** Finished games only, in file order. */
  readonly games: ReadonlyArray<Played>
  /** Closing lines by game id. */
  readonly lines: ReadonlyMap<string, MarketLines>
  readonly weeks: TeamWeeks
  /** The files, with SHA-256 in hexadecimal. */
  readonly inputs: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
}

const readAll = <A>(name: string, rows: ReadonlyArray<Row>, read: (row: Row) => Either.Either<A, RowError>) =>
  rows.map((row, at) =>
    Either.getOrThrowWith(read(row), ({ field, reason }) => new Error(`${name}, line ${at + 2}, ${field}: ${reason}`)),
  )

/**
 * Reads nflverse's games file and a folder of its `stats_team_week_*.csv`.
 *
 * @throws Error with file, line and column of the first unreadable value, or on a duplicate game
 */
export const readFootballData = (gamesFile: string, teamStats: string): FootballData => {
  const file = readCsv<Row>(gamesFile)
  const games = readAll(file.name, file.rows, gameOf)
  const lines = readAll(file.name, file.rows, linesOf)
  const byId = new Map(games.map((game, at) => [game.id, lines[at]!]))
  if (byId.size !== games.length) throw new Error(`${file.name}: duplicate game.`)
  const stats = readdirSync(teamStats)
    .filter((name) => /^stats_team_week_\d{4}\.csv$/.test(name))
    .sort()
    .map((name) => readCsv<Row>(join(teamStats, name)))
  return {
    games: games.filter((game): game is Played => game.score !== undefined),
    lines: byId,
    weeks: teamWeeks(stats.flatMap(({ name, rows }) => readAll(name, rows, teamWeekOf))),
    inputs: [file, ...stats].map(({ name, sha256 }) => ({ name, sha256 })),
  }
}

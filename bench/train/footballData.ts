import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import type { Refusal, Row } from "../../core/csv/row.ts"
import { gameOf } from "../../core/lanes/football/data/Game.ts"
import { type Lines, linesOf } from "../../core/lanes/football/data/lines.ts"
import { type TeamWeeks, teamWeekOf, teamWeeks } from "../../core/lanes/football/data/TeamWeek.ts"
import { readCsv } from "./csvFile.ts"
import type { Played } from "./footballBaselines.ts"

/** What the model is trained on, and the market's lines that it is measured against. */
export interface FootballData {
  /** Final ones only, in the order of the file. */
  readonly games: ReadonlyArray<Played>
  /** Closing lines by game id. */
  readonly lines: ReadonlyMap<string, Lines>
  readonly weeks: TeamWeeks
  /** The files, with SHA-256 in hexadecimal. */
  readonly inputs: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
}

const readAll = <A>(name: string, rows: ReadonlyArray<Row>, read: (row: Row) => Either.Either<A, Refusal>) =>
  rows.map((row, at) =>
    Either.getOrThrowWith(read(row), ({ field, reason }) => new Error(`${name}, line ${at + 2}, ${field}: ${reason}`)),
  )

/**
 * Reads nflverse's games file and a folder of its `stats_team_week_*.csv`.
 *
 * @throws Error naming file, line and column of the first value that cannot be read, or of a game that stands there twice
 */
export const readFootballData = (gamesFile: string, teamStats: string): FootballData => {
  const file = readCsv<Row>(gamesFile)
  const games = readAll(file.name, file.rows, gameOf)
  const lines = readAll(file.name, file.rows, linesOf)
  const byId = new Map(games.map((game, at) => [game.id, lines[at]!]))
  if (byId.size !== games.length) throw new Error(`${file.name}: a game stands there twice.`)
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

import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { formats } from "../../../../core/lanes/football/data/formats.ts"
import { indexTeamWeeks, type TeamWeek } from "../../../../core/lanes/football/data/Game.ts"
import { BenchError } from "../../compare/BenchError.ts"
import { filesIn, readInput } from "../files.ts"
import type { FootballData, Played } from "./data.ts"

export interface FootballFiles {
  /** nflverse's games file. */
  readonly games: string
  /** A folder of `stats_team_week_*.csv`; without it ratings learn from points alone. */
  readonly teamStats?: string | undefined
}

const form = /^stats_team_week_\d{4}\.csv(\.gz)?$/

const weeksIn = Effect.fnUntraced(function* (folder: string) {
  const paths = yield* filesIn(folder, form, "team statistics (stats_team_week_2025.csv, plain or gzip)")
  const files = yield* Effect.forEach(paths, (path) => readInput(formats.team_weeks, path))
  const from = new Map<string, string>()
  for (const { values, input } of files) {
    for (const row of values) {
      const key = formats.team_weeks.keyOf(row)
      const before = from.get(key)
      if (before !== undefined) {
        return yield* new BenchError({ message: `${input.name}: Row ${key} is also in ${before}.` })
      }
      from.set(key, input.name)
    }
  }
  return files
})

/** Reads finished games with their closing lines, and the expected points of their offenses. */
export const readFootball = Effect.fnUntraced(function* ({ games: path, teamStats }: FootballFiles) {
  const { values, input } = yield* readInput(formats.games, path)
  const stats = teamStats === undefined ? [] : yield* weeksIn(teamStats)
  const games = values.map(({ game }) => game).filter((game): game is Played => game.score !== undefined)
  if (games.length === 0) return yield* new BenchError({ message: `${basename(path)}: No game has a score.` })
  const data: FootballData = {
    games,
    lines: new Map(values.map(({ game, lines }) => [game.id, lines])),
    weeks: indexTeamWeeks(stats.flatMap((file): ReadonlyArray<TeamWeek> => file.values)),
    inputs: [input, ...stats.map((file) => file.input)],
  }
  return data
})

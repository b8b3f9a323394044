import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import { FileRefused, type ReadFile } from "../../../../core/lanes/football/data/archive.ts"
import { easternDay } from "../../../../core/lanes/football/data/calendar.ts"
import type { WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import { contradictsResults, lost, replaced, shortened } from "../../../../core/lanes/football/data/plausible.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { mapStorageErrors } from "../../../store/engine/storage.ts"
import type { Columns } from "../../../store/engine/upsert.ts"
import { type Rows, weeklyTables } from "./rows.ts"

/** Columns that a later version of a file hardly changes. */
const lasting: Readonly<Record<WeeklyFeed, ReadonlyArray<string>>> = {
  games: ["gameday", "kickoff", "home_score", "away_score", "spread_line"],
  team_weeks: ["epa", "turnovers"],
  quarterbacks: ["attempts", "completions", "passing_yards", "passing_tds", "passing_epa", "rushing_yards", "code"],
  injuries: [],
  rosters: [],
}

const query = <Row extends object>(
  build: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<Row>, SqlError>,
): Effect.Effect<ReadonlyArray<Row>, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => mapStorageErrors(build(sql)))

/** The first week, or team of a week, with rows and without a game that has begun; a season without a schedule has none. */
const idleTeam = Effect.fnUntraced(function* (season: number, listed: ReadonlyArray<Columns>, fetchedAt: number) {
  const games = yield* query(
    (sql) => sql<{ week: number; home_code: string; home_team: string; away_code: string; away_team: string }>`
      SELECT week, home_team, home_code, away_team, away_code FROM football_games
      WHERE season = ${season} AND gameday <= ${easternDay(fetchedAt)}`,
  )
  if (games.length === 0) return undefined
  const weeks = new Set(games.map(({ week }) => week))
  const playing = new Set(games.flatMap(({ week, ...game }) => Object.values(game).map((code) => `${week}/${code}`)))
  const idle = listed.find((row) => !playing.has(`${row["week"]}/${row["team"] ?? row["code"]}`))
  if (idle === undefined) return undefined
  const week = `week ${idle["week"]}`
  return weeks.has(Number(idle["week"])) ? `${idle["team"] ?? idle["code"]} in ${week}` : week
})

/** Why the rows of a season contradict what is stored. */
const seasonContradiction = Effect.fnUntraced(function* (
  feed: WeeklyFeed,
  season: number,
  listed: ReadonlyArray<Columns>,
  fetchedAt: number,
) {
  const { name, key } = weeklyTables[feed]
  const of = ` of ${season}`
  const weeks = new Set(listed.map(({ week }) => Number(week)))
  const stored = yield* query((sql) => sql<Columns>`SELECT * FROM ${sql(name)} WHERE season = ${season}`)
  // A game that was not played may move to another week.
  const lasts = stored.filter(({ home_score }) => home_score !== null)
  const storedWeeks = [...new Set(lasts.map(({ week }) => Number(week)))].sort((a, b) => a - b)
  // Before its first week a season's roster has no week.
  const withoutWeeks = weeks.size === 0 || (weeks.size === 1 && weeks.has(0))
  const gone = withoutWeeks ? undefined : lost("week", storedWeeks, weeks, of)
  if (gone !== undefined) return gone
  // Their rows are of games that were played.
  if (feed === "team_weeks" || feed === "quarterbacks") {
    const idle = yield* idleTeam(season, listed, fetchedAt)
    if (idle !== undefined) return `it has rows of ${idle}${of}, of which no game has begun`
  }
  const idOf = (row: Columns) => key.map((column) => row[column]).join("/")
  const before = new Map(stored.map((row) => [idOf(row), row]))
  return replaced(
    lasting[feed],
    listed.flatMap((row) => {
      const old = before.get(idOf(row))
      return old === undefined ? [] : [[old, row] as const]
    }),
  )
})

/** The differences of expected points and the margins, of games whose final is stored. */
const gamesOf = Effect.fnUntraced(function* (season: number, listed: ReadonlyArray<Columns>) {
  const epa = new Map(listed.map(({ week, team, epa }) => [`${week}/${team}`, Number(epa)]))
  const games = yield* query(
    (sql) => sql<{ week: number; home_team: string; away_team: string; margin: number }>`
      SELECT week, home_team, away_team, home_score - away_score AS margin FROM football_games
      WHERE season = ${season} AND home_score IS NOT NULL`,
  )
  return games.flatMap(({ week, home_team, away_team, margin }) => {
    const [home, away] = [epa.get(`${week}/${home_team}`), epa.get(`${week}/${away_team}`)]
    return home === undefined || away === undefined ? [] : [[home - away, margin] as const]
  })
})

/** Fails with the reason why a file contradicts what is stored: damaged, cut, of another day, or of another kind. */
export const checkFile = (
  {
    feed,
    name,
    values,
    seasons,
    fetchedAt,
    isWhole,
  }: Omit<ReadFile, "values"> & { readonly values: ReadonlyArray<unknown> },
  tables: ReadonlyArray<Rows>,
): Effect.Effect<void, Failure | FileRefused, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const refuseFor = (reason: string | undefined) => (reason === undefined ? Effect.void : new FileRefused({ reason }))
    const [before] = yield* query(
      (sql) => sql<{ row_count: number }>`SELECT row_count FROM football_files WHERE name = ${name}`,
    )
    if (before !== undefined) yield* refuseFor(shortened(before.row_count, values.length))
    if (feed === "top100") return
    if (isWhole === true) {
      const stored = yield* query(
        (sql) => sql<{ season: number }>`SELECT season FROM football_feeds WHERE feed = ${feed}`,
      )
      yield* refuseFor(
        lost(
          "season",
          stored.map(({ season }) => season),
          new Set(seasons),
        ),
      )
    }
    const rows = tables.find(({ table }) => table === weeklyTables[feed])!.rows
    for (const season of seasons) {
      yield* yieldToEventLoop
      const listed = rows.filter((row) => row["season"] === season)
      yield* refuseFor(yield* seasonContradiction(feed, season, listed, fetchedAt))
      if (feed === "team_weeks") yield* refuseFor(contradictsResults(yield* gamesOf(season, listed)))
    }
  })

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { whyLost, whyReplaced, whyShortened } from "../../../../core/csv/versions.ts"
import type { Failure } from "../../../../core/Failure.ts"
import {
  FileRefused,
  FootballArchive,
  type KnownFile,
  type ReadFile,
  type StoredChanges,
} from "../../../../core/lanes/football/data/archive.ts"
import { toEasternDay } from "../../../../core/lanes/football/data/calendar.ts"
import { whyContradictsResults } from "../../../../core/lanes/football/data/consistency.ts"
import type { WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import { type FormatName, formats } from "../../../../core/lanes/football/data/formats.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { columns, type RowOf } from "../../../store/engine/columns.ts"
import { serialise } from "../../../store/engine/locks.ts"
import { writeInSlices } from "../../../store/engine/slices.ts"
import { inTransaction, mapStorageErrors, readFirst } from "../../../store/engine/storage.ts"
import { type Columns, upsert } from "../../../store/engine/upsert.ts"
import { type Rows, toTables, weeklyTables } from "./rows.ts"

/** Columns that rarely change between versions of a file. */
const lastingColumns: Readonly<Record<WeeklyFeed, ReadonlyArray<string>>> = {
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

/** The first week, or team of a week, with rows but without a game that has begun; undefined without a schedule. */
const findIdleTeam = Effect.fnUntraced(function* (season: number, listed: ReadonlyArray<Columns>, fetchedAt: number) {
  const games = yield* query(
    (sql) => sql<{ week: number; home_code: string; home_team: string; away_code: string; away_team: string }>`
      SELECT week, home_team, home_code, away_team, away_code FROM football_games
      WHERE season = ${season} AND gameday <= ${toEasternDay(fetchedAt)}`,
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
const findContradiction = Effect.fnUntraced(function* (
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
  const gone = withoutWeeks ? undefined : whyLost("week", storedWeeks, weeks, of)
  if (gone !== undefined) return gone
  // These feeds have rows only of games that were played.
  if (feed === "team_weeks" || feed === "quarterbacks") {
    const idle = yield* findIdleTeam(season, listed, fetchedAt)
    if (idle !== undefined) return `it has rows of ${idle}${of}, of which no game has begun`
  }
  const idOf = (row: Columns) => key.map((column) => row[column]).join("/")
  const oldRows = new Map(stored.map((row) => [idOf(row), row]))
  return whyReplaced(
    lastingColumns[feed],
    listed.flatMap((row) => {
      const old = oldRows.get(idOf(row))
      return old === undefined ? [] : [[old, row] as const]
    }),
  )
})

/** The differences of expected points and the margins, of games whose final is stored. */
const readMargins = Effect.fnUntraced(function* (season: number, listed: ReadonlyArray<Columns>) {
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
const checkFile = (
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
    if (before !== undefined) yield* refuseFor(whyShortened(before.row_count, values.length))
    if (feed === "top100") return
    if (isWhole === true) {
      const stored = yield* query(
        (sql) => sql<{ season: number }>`SELECT season FROM football_feeds WHERE feed = ${feed}`,
      )
      yield* refuseFor(
        whyLost(
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
      yield* refuseFor(yield* findContradiction(feed, season, listed, fetchedAt))
      if (feed === "team_weeks") yield* refuseFor(whyContradictsResults(yield* readMargins(season, listed)))
    }
  })

/** Stored rows that a file should contain and does not; deletes nothing. */
const missingRows = (
  sql: SqlClient.SqlClient,
  { table: { name, key, maxWithdrawn: most }, rows, isCoveredBy }: Rows,
  seasons: ReadonlyArray<number>,
): Effect.Effect<ReadonlyArray<Columns>, Failure | FileRefused> =>
  Effect.gen(function* () {
    if (isCoveredBy === undefined) return []
    const idOf = (row: Columns) => key.map((column) => row[column]).join("/")
    const listed = new Set(rows.map(idOf))
    const gone: Array<Columns> = []
    for (const season of seasons) {
      const storedRows = yield* mapStorageErrors(sql<Columns>`SELECT * FROM ${sql(name)} WHERE season = ${season}`)
      for (const row of storedRows) if (isCoveredBy(row) && !listed.has(idOf(row))) gone.push(row)
      yield* yieldToEventLoop
    }
    if (most !== undefined && gone.length > most) {
      return yield* new FileRefused({ reason: `it lacks ${gone.length} stored rows (limit ${most})` })
    }
    return gone
  })

const knownFile = columns<KnownFile>()(["sha256", "etag", "lastModified", "fetchedAt", "checkedAt"])

/** For several nodes: two files of a feed may have the same rows in another order. */
const lock = (sql: SqlClient.SqlClient, feed: FormatName) => serialise(sql, `football/${feed}`)

const unchanged: Written = { added: 0, changed: 0, withdrawn: 0, moved: new Set() }

/** Increments the versions of changed seasons; a new season has no row until its file is complete. */
const move = (sql: SqlClient.SqlClient, feed: FormatName, seasons: Iterable<number>) =>
  Effect.forEach(
    new Set(seasons),
    (season) => sql`UPDATE football_feeds SET version = version + 1 WHERE feed = ${feed} AND season = ${season}`,
    { discard: true },
  )

interface Written extends Omit<StoredChanges, "rows"> {
  readonly moved: Set<number>
}

const write = <Name extends FormatName>(
  sql: SqlClient.SqlClient,
  file: ReadFile<Name>,
): Effect.Effect<Written, Failure | FileRefused> =>
  Effect.gen(function* () {
    const { feed, fetchedAt } = file
    const sourced = { source: formats[feed].source, fetched_at: fetchedAt }
    const tables = yield* toTables(file)
    // A rejected file fails before any write.
    yield* Effect.provideService(checkFile(file, tables), SqlClient.SqlClient, sql)
    const missing = yield* Effect.forEach(tables, (table) => missingRows(sql, table, file.seasons))
    const counts = { added: 0, changed: 0, withdrawn: 0, moved: new Set<number>() }
    for (const [index, { table, rows }] of tables.entries()) {
      yield* writeInSlices(sql, rows, (some) =>
        Effect.gen(function* () {
          yield* lock(sql, feed)
          const written = yield* upsert(
            sql,
            table,
            some.map((row) => ({ ...row, ...sourced })),
          )
          counts.added += written.added.length
          counts.changed += written.changed.length
          const seasons = [...written.added, ...written.changed]
          for (const season of seasons) counts.moved.add(season)
          yield* move(sql, feed, seasons)
        }),
      )
      yield* writeInSlices(sql, missing[index]!, (some) =>
        Effect.gen(function* () {
          yield* lock(sql, feed)
          for (const row of some) {
            const isIt = table.key.map((column) => sql`${sql(column)} = ${row[column]!}`)
            const gone = yield* sql`DELETE FROM ${sql(table.name)} WHERE ${sql.and(isIt)} RETURNING season`
            counts.withdrawn += gone.length
          }
          yield* move(
            sql,
            feed,
            some.map((row) => Number(row["season"])),
          )
        }),
      )
    }
    return counts
  })

/** Write side of ingest: data tables, version numbers for readers, and the files. */
export const layer: Layer.Layer<FootballArchive, never, SqlClient.SqlClient> = Layer.effect(
  FootballArchive,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const noteCheck = (feed: FormatName, seasons: ReadonlyArray<number>, at: number) =>
      Effect.forEach(
        seasons,
        (season) => sql`
          INSERT INTO football_feeds ${sql.insert({ feed, season, version: 1, checked_at: at })}
          ON CONFLICT (feed, season) DO UPDATE SET
            checked_at = CASE WHEN excluded.checked_at > football_feeds.checked_at
              THEN excluded.checked_at ELSE football_feeds.checked_at END`,
        { discard: true },
      )

    const readSha = (name: string) =>
      Effect.map(
        sql<{ sha256: string }>`SELECT sha256 FROM football_files WHERE name = ${name}`,
        ([row]) => row?.sha256,
      )

    const one = Effect.unsafeMakeSemaphore(1)

    return {
      store: <Name extends FormatName>(file: ReadFile<Name>) =>
        one.withPermits(1)(
          Effect.gen(function* () {
            const { feed, name, sha256, fetchedAt, seasons, values } = file
            const isSame = (yield* mapStorageErrors(readSha(name))) === sha256
            const { moved, ...counts } = isSame ? unchanged : yield* write(sql, file)
            const row = { name, feed, row_count: values.length, ...knownFile.toRow({ ...file, checkedAt: fetchedAt }) }
            // The file counts as read only now; an interrupted one is read again.
            yield* inTransaction(
              sql,
              Effect.gen(function* () {
                yield* lock(sql, feed)
                yield* noteCheck(feed, [...new Set([...seasons, ...moved])], fetchedAt)
                yield* sql`
                  INSERT INTO football_files ${sql.insert(row)}
                  ON CONFLICT (name) DO UPDATE SET
                    ${sql.update(row, ["name", ...(isSame ? ["fetched_at" as const] : [])])}`
              }),
            )
            return { rows: values.length, ...counts } satisfies StoredChanges
          }),
        ),
      known: (name) =>
        readFirst(
          sql<RowOf<typeof knownFile>>`
            SELECT ${sql.literal(knownFile.list)} FROM football_files WHERE name = ${name}`,
          knownFile.fromRow,
        ),
      confirm: (feed, name, seasons, checkedAt) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            yield* lock(sql, feed)
            if (seasons !== "all") yield* noteCheck(feed, seasons, checkedAt)
            else yield* sql`UPDATE football_feeds SET checked_at = ${checkedAt} WHERE feed = ${feed}`
            yield* sql`UPDATE football_files SET checked_at = ${checkedAt} WHERE name = ${name}`
          }),
        ),
    }
  }),
)

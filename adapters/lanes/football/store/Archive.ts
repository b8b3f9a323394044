import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../../core/Failure.ts"
import {
  FileRefused,
  FootballArchive,
  type KnownFile,
  type ReadFile,
  type Stored,
} from "../../../../core/lanes/football/data/archive.ts"
import { type FeedName, feeds } from "../../../../core/lanes/football/data/feeds.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { columns, type RowOf } from "../../../store/engine/columns.ts"
import { inSlices } from "../../../store/engine/slices.ts"
import { firstAs, inTransaction, mapStorageErrors } from "../../../store/engine/storage.ts"
import { type Columns, upsert } from "../../../store/engine/upsert.ts"
import { oneAtATime } from "../../../store/upkeep/locks.ts"
import { checkFile } from "./checkFile.ts"
import { type Rows, tablesOf } from "./rows.ts"

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
      const known = yield* mapStorageErrors(sql<Columns>`SELECT * FROM ${sql(name)} WHERE season = ${season}`)
      for (const row of known) if (isCoveredBy(row) && !listed.has(idOf(row))) gone.push(row)
      yield* yieldToEventLoop
    }
    if (most !== undefined && gone.length > most) {
      return yield* new FileRefused({ reason: `it lacks ${gone.length} stored rows (limit ${most})` })
    }
    return gone
  })

const knownFile = columns<KnownFile>()(["sha256", "etag", "lastModified", "fetchedAt", "checkedAt"])

/** Between nodes: two files of a feed may have the same rows in another order. */
const lock = (sql: SqlClient.SqlClient, feed: FeedName) => oneAtATime(sql, `football/${feed}`)

const unchanged: Written = { added: 0, changed: 0, withdrawn: 0, moved: new Set() }

/** Increments the versions of changed seasons; a new season has no row until its file is complete. */
const move = (sql: SqlClient.SqlClient, feed: FeedName, seasons: Iterable<number>) =>
  Effect.forEach(
    new Set(seasons),
    (season) => sql`UPDATE football_feeds SET version = version + 1 WHERE feed = ${feed} AND season = ${season}`,
    { discard: true },
  )

interface Written extends Omit<Stored, "rows"> {
  /** Seasons with a change. */
  readonly moved: Set<number>
}

/** Writes the rows of a file, table by table. */
const write = <Name extends FeedName>(
  sql: SqlClient.SqlClient,
  file: ReadFile<Name>,
): Effect.Effect<Written, Failure | FileRefused> =>
  Effect.gen(function* () {
    const { feed, fetchedAt } = file
    const sourced = { source: feeds[feed].source, fetched_at: fetchedAt }
    const tables = yield* tablesOf(file)
    // A rejected file fails before any write.
    yield* Effect.provideService(checkFile(file, tables), SqlClient.SqlClient, sql)
    const missing = yield* Effect.forEach(tables, (table) => missingRows(sql, table, file.seasons))
    const counts = { added: 0, changed: 0, withdrawn: 0, moved: new Set<number>() }
    for (const [index, { table, rows }] of tables.entries()) {
      yield* inSlices(sql, rows, (some) =>
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
      yield* inSlices(sql, missing[index]!, (some) =>
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
    const look = (feed: FeedName, seasons: ReadonlyArray<number>, at: number) =>
      Effect.forEach(
        seasons,
        (season) => sql`
          INSERT INTO football_feeds ${sql.insert({ feed, season, version: 1, checked_at: at })}
          ON CONFLICT (feed, season) DO UPDATE SET
            checked_at = CASE WHEN excluded.checked_at > football_feeds.checked_at
              THEN excluded.checked_at ELSE football_feeds.checked_at END`,
        { discard: true },
      )

    const shaOf = (name: string) =>
      Effect.map(
        sql<{ sha256: string }>`SELECT sha256 FROM football_files WHERE name = ${name}`,
        ([row]) => row?.sha256,
      )

    const one = Effect.unsafeMakeSemaphore(1)

    return {
      store: <Name extends FeedName>(file: ReadFile<Name>) =>
        one.withPermits(1)(
          Effect.gen(function* () {
            const { feed, name, sha256, fetchedAt, seasons, values } = file
            const isSame = (yield* mapStorageErrors(shaOf(name))) === sha256
            const { moved, ...counts } = isSame ? unchanged : yield* write(sql, file)
            const row = { name, feed, row_count: values.length, ...knownFile.toRow({ ...file, checkedAt: fetchedAt }) }
            // The file counts as read only now; an interrupted one is read again.
            yield* inTransaction(
              sql,
              Effect.gen(function* () {
                yield* lock(sql, feed)
                yield* look(feed, [...new Set([...seasons, ...moved])], fetchedAt)
                yield* sql`
                  INSERT INTO football_files ${sql.insert(row)}
                  ON CONFLICT (name) DO UPDATE SET
                    ${sql.update(row, ["name", ...(isSame ? ["fetched_at" as const] : [])])}`
              }),
            )
            return { rows: values.length, ...counts } satisfies Stored
          }),
        ),
      known: (name) =>
        firstAs(
          sql<RowOf<typeof knownFile>>`
            SELECT ${sql.literal(knownFile.list)} FROM football_files WHERE name = ${name}`,
          knownFile.fromRow,
        ),
      confirm: (feed, name, seasons, checkedAt) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            yield* lock(sql, feed)
            if (seasons !== "all") yield* look(feed, seasons, checkedAt)
            else yield* sql`UPDATE football_feeds SET checked_at = ${checkedAt} WHERE feed = ${feed}`
            yield* sql`UPDATE football_files SET checked_at = ${checkedAt} WHERE name = ${name}`
          }),
        ),
    }
  }),
)

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Failure, fail } from "../../core/endpoint/Failure.ts"
import { FootballArchive, type ReadFile, type Stored } from "../../core/lanes/football/archive.ts"
import { type FeedName, feeds } from "../../core/lanes/football/feeds.ts"
import { type Rows, tablesOf } from "./footballRows.ts"
import { inTransaction, orUnavailable } from "./storage.ts"
import { type Columns, count, upsert } from "./upsert.ts"

interface Changes {
  readonly added: number
  readonly changed: number
  readonly withdrawn: number
  readonly seasons: ReadonlySet<number>
}

/** Takes away what the source has no more, where its file would have to have it. */
const withdraw = (
  sql: SqlClient.SqlClient,
  { table: { name, key, mostWithdrawn: most }, rows, speaksOf }: Rows,
  seasons: ReadonlyArray<number>,
) =>
  Effect.gen(function* () {
    if (speaksOf === undefined || seasons.length === 0) return []
    const idOf = (row: Columns) => key.map((column) => row[column]).join("/")
    const listed = new Set(rows.map(idOf))
    const known = yield* sql<Columns>`SELECT * FROM ${sql(name)} WHERE ${sql.in("season", seasons)}`
    const gone = known.filter((row) => speaksOf(row) && !listed.has(idOf(row)))
    if (most !== undefined && gone.length > most) {
      return yield* fail("upstream_unavailable", {
        detail: `The file lacks ${gone.length} rows that it had before: it is not believed.`,
      })
    }
    for (const row of gone) {
      yield* sql`DELETE FROM ${sql(name)} WHERE ${sql.and(key.map((column) => sql`${sql(column)} = ${row[column]!}`))}`
    }
    return gone.map((row) => Number(row["season"]))
  })

const write = <Name extends FeedName>(
  sql: SqlClient.SqlClient,
  file: ReadFile<Name>,
): Effect.Effect<Changes, Failure | SqlError> =>
  Effect.gen(function* () {
    const said = { source: feeds[file.feed].source, fetched_at: file.fetchedAt }
    const seasons = new Set<number>()
    let [added, changed, withdrawn] = [0, 0, 0]
    for (const told of tablesOf(file)) {
      const { table, rows } = told
      const before = yield* count(sql, table.name)
      const touched = yield* upsert(
        sql,
        table,
        rows.map((row) => ({ ...row, ...said })),
      )
      const fresh = (yield* count(sql, table.name)) - before
      const gone = yield* withdraw(sql, told, file.seasons)
      for (const season of [...touched, ...gone]) seasons.add(season)
      added += fresh
      changed += touched.length - fresh
      withdrawn += gone.length
    }
    return { added, changed, withdrawn, seasons }
  })

const nothing = { added: 0, changed: 0, withdrawn: 0 }

/** What ingest writes: data tables, the versions by which readers know of changes, and the files that were read. */
export const layer: Layer.Layer<FootballArchive, never, SqlClient.SqlClient> = Layer.effect(
  FootballArchive,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const look = (feed: FeedName, seasons: ReadonlyArray<number>, at: number, changed: ReadonlySet<number>) =>
      Effect.forEach(
        seasons,
        (season) => sql`
          INSERT INTO football_feeds ${sql.insert({ feed, season, version: 1, checked_at: at })}
          ON CONFLICT (feed, season) DO UPDATE SET
            version = football_feeds.version + ${changed.has(season) ? 1 : 0},
            checked_at = CASE WHEN excluded.checked_at > football_feeds.checked_at
              THEN excluded.checked_at ELSE football_feeds.checked_at END`,
        { discard: true },
      )

    const shaOf = (name: string) =>
      Effect.map(
        sql<{ sha256: string }>`SELECT sha256 FROM football_files WHERE name = ${name}`,
        ([row]) => row?.sha256,
      )

    return {
      store: <Name extends FeedName>(file: ReadFile<Name>) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            const { feed, name, sha256, fetchedAt, seasons, values } = file
            const isSame = (yield* shaOf(name)) === sha256
            const { seasons: changed, ...counts } = isSame
              ? { ...nothing, seasons: new Set<number>() }
              : yield* write(sql, file)
            yield* look(feed, [...new Set([...seasons, ...changed])], fetchedAt, changed)
            const row = {
              name,
              feed,
              sha256,
              etag: file.etag ?? null,
              last_modified: file.lastModified ?? null,
              row_count: values.length,
              fetched_at: fetchedAt,
              checked_at: fetchedAt,
            }
            yield* sql`
              INSERT INTO football_files ${sql.insert(row)}
              ON CONFLICT (name) DO UPDATE SET ${sql.update(row, ["name", ...(isSame ? ["fetched_at" as const] : [])])}`
            return { rows: values.length, ...counts } satisfies Stored
          }),
        ),
      known: (name) =>
        orUnavailable(
          Effect.map(
            sql<{
              sha256: string
              etag: string | null
              last_modified: string | null
              fetched_at: number
              checked_at: number
            }>`SELECT sha256, etag, last_modified, fetched_at, checked_at FROM football_files WHERE name = ${name}`,
            ([row]) =>
              row === undefined
                ? undefined
                : {
                    sha256: row.sha256,
                    fetchedAt: row.fetched_at,
                    checkedAt: row.checked_at,
                    ...(row.etag !== null && { etag: row.etag }),
                    ...(row.last_modified !== null && { lastModified: row.last_modified }),
                  },
          ),
        ),
      confirm: (feed, name, seasons, checkedAt) =>
        inTransaction(
          sql,
          Effect.gen(function* () {
            if (seasons !== "all") yield* look(feed, seasons, checkedAt, new Set())
            else yield* sql`UPDATE football_feeds SET checked_at = ${checkedAt} WHERE feed = ${feed}`
            yield* sql`UPDATE football_files SET checked_at = ${checkedAt} WHERE name = ${name}`
          }),
        ),
    }
  }),
)

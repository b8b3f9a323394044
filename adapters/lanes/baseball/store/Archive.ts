import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Failure, fail } from "../../../../core/Failure.ts"
import {
  BaseballArchive,
  type FeedName,
  feeds,
  type Input,
  type ReadFile,
  type Stored,
  type ValueOf,
} from "../../../../core/lanes/baseball/archive.ts"
import { inSlices } from "../../../sql/slices.ts"
import { inTransaction, orUnavailable } from "../../../sql/storage.ts"
import { type Columns, count, upsert } from "../../../sql/upsert.ts"
import { kept } from "./rows.ts"

/** A file that takes away more games than this is cut off rather than corrected. */
const mostWithdrawn = 32

/** What a file had said before and says no more: a game whose number in its day was wrong, say. */
const goneOf = (
  sql: SqlClient.SqlClient,
  table: string,
  source: string,
  rows: ReadonlyArray<Columns>,
): Effect.Effect<ReadonlyArray<string>, Failure | SqlError> =>
  Effect.gen(function* () {
    const listed = new Set(rows.map((row) => row["game_id"]))
    const known = yield* sql<{ game_id: string }>`SELECT game_id FROM ${sql(table)} WHERE source = ${source}`
    const gone = known.flatMap(({ game_id }) => (listed.has(game_id) ? [] : [game_id]))
    if (gone.length > mostWithdrawn) {
      return yield* fail("invalid_parameter", {
        detail: `The file lacks ${gone.length} games that it had before: it is not believed.`,
      })
    }
    return gone
  })

const sourceOf = (feed: FeedName, name: string): string => `${feeds[feed].source}: ${name}`

/** Writes the games of a file, which is not known as read meanwhile. */
const write = <Name extends FeedName>(
  sql: SqlClient.SqlClient,
  { feed, name, fetchedAt, values }: ReadFile<Name>,
): Effect.Effect<Omit<Stored, "rows">, Failure> =>
  Effect.gen(function* () {
    const { table, columns } = kept[feed]
    const source = sourceOf(feed, name)
    const rows = values.map((value): Columns => ({ ...columns(value), source, fetched_at: fetchedAt }))
    const gone = yield* orUnavailable(goneOf(sql, table.name, source, rows))
    yield* inTransaction(
      sql,
      Effect.zipRight(
        sql`DELETE FROM baseball_files WHERE name = ${name}`,
        Effect.when(sql`DELETE FROM ${sql(table.name)} WHERE ${sql.in("game_id", gone)}`, () => gone.length > 0),
      ),
    )
    const before = yield* orUnavailable(count(sql, table.name))
    let touched = 0
    yield* inSlices(sql, rows, (some) =>
      Effect.map(upsert(sql, table, some), (written) => {
        touched += written.length
      }),
    )
    const added = (yield* orUnavailable(count(sql, table.name))) - before
    return { added, changed: touched - added, withdrawn: gone.length }
  })

export const layer: Layer.Layer<BaseballArchive, never, SqlClient.SqlClient> = Layer.effect(
  BaseballArchive,
  Effect.map(SqlClient.SqlClient, (sql) => {
    /** The games of the files that are there whole. */
    const read = <Name extends FeedName>(feed: Name): Effect.Effect<ReadonlyArray<ValueOf<Name>>, SqlError> => {
      const { table, value } = kept[feed]
      return Effect.map(
        sql<Columns>`
          SELECT * FROM ${sql(table.name)}
          WHERE source IN (SELECT ${sourceOf(feed, "")} || name FROM baseball_files WHERE feed = ${feed})`,
        (rows) => rows.map(value),
      )
    }

    /** In the order of the feeds and of the files' names. */
    const inputs = Effect.map(
      sql<Input & { readonly feed: FeedName }>`SELECT feed, name, sha256 FROM baseball_files ORDER BY name`,
      (files): ReadonlyArray<Input> =>
        Object.keys(feeds).flatMap((feed) =>
          files.filter((file) => file.feed === feed).map(({ name, sha256 }) => ({ name, sha256 })),
        ),
    )

    const one = Effect.unsafeMakeSemaphore(1)

    return {
      store: (file) =>
        one.withPermits(1)(
          Effect.gen(function* () {
            const { feed, name, sha256, fetchedAt, values } = file
            const [known] = yield* orUnavailable(sql<{ feed: string; sha256: string }>`
              SELECT feed, sha256 FROM baseball_files WHERE name = ${name}`)
            if (known !== undefined && known.feed !== feed) {
              return yield* fail("invalid_parameter", {
                detail: `A file of this name was read as ${known.feed} before: give one of the two another name.`,
              })
            }
            if (known?.sha256 === sha256) return { rows: values.length, added: 0, changed: 0, withdrawn: 0 }
            const counts = yield* write(sql, file)
            const row = { name, feed, sha256, row_count: values.length, fetched_at: fetchedAt }
            yield* orUnavailable(sql`
              INSERT INTO baseball_files ${sql.insert(row)} ON CONFLICT (name) DO UPDATE SET ${sql.update(row, ["name"])}`)
            return { rows: values.length, ...counts }
          }),
        ),
      // One transaction, so that the games and the files that they are from belong together.
      read: inTransaction(
        sql,
        Effect.all({ odds: read("odds"), innings: read("innings"), logs: read("game_logs"), inputs }),
      ),
    }
  }),
)

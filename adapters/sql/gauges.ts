import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../core/Failure.ts"
import { mapStorageErrors } from "./storage.ts"

/** Most rows that are counted: more are as bad, and the count must not grow with them. */
export const mostCounted = 10_000

export interface Gauges {
  /** Bytes of the database; of SQLite without its write-ahead log. */
  readonly bytes: number
  /** Deliveries of webhooks that may be sent now, and those whose window has ended; at most `mostCounted`. */
  readonly due: number
  readonly dead: number
}

/** Figures of the store for an operator's monitoring, from ends of indexes and the headers of files. */
export const gauges: Effect.Effect<Gauges, Failure, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [size] = yield* sql.onDialectOrElse({
    sqlite: () =>
      sql<{ bytes: number }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    orElse: () => sql<{ bytes: number }>`SELECT pg_database_size(current_database())::float8 AS bytes`,
  })
  const [found] = yield* sql<{ due: number; dead: number }>`
    SELECT
      (SELECT count(*) FROM (
        SELECT 1 FROM webhook_deliveries WHERE ended_at IS NULL AND due_at <= ${now} LIMIT ${mostCounted}) AS hits) AS due,
      (SELECT count(*) FROM (
        SELECT 1 FROM webhook_deliveries WHERE outcome = 'dead' LIMIT ${mostCounted}) AS hits) AS dead`
  return { bytes: size!.bytes, due: Number(found!.due), dead: Number(found!.dead) }
}).pipe(mapStorageErrors)

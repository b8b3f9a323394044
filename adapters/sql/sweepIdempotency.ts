import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../core/endpoint/Failure.ts"
import { orUnavailable } from "./storage.ts"

/** So many rows at once, so that no call waits long for the write lock. */
const batch = 1_000

/** Forgets the answers of idempotent calls that began at or before an instant; how many there were. */
export const sweepIdempotency = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const some = orUnavailable(
      Effect.map(
        sql`
          DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
            SELECT key_id, idempotency_key FROM idempotency WHERE at <= ${before} LIMIT ${batch}
          ) RETURNING 1`,
        (rows) => rows.length,
      ),
    )
    const all = (swept: number): Effect.Effect<number, Failure> =>
      Effect.flatMap(some, (count) => (count < batch ? Effect.succeed(swept + count) : all(swept + count)))
    return all(0)
  })

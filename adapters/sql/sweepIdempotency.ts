import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../core/Failure.ts"
import { day } from "../../core/time.ts"
import { deletedInSlices } from "./slices.ts"
import { orUnavailable } from "./storage.ts"

/** So many rows at once: each may be an answer of some kilobytes. */
const slice = 200

/** Forgets the answers of idempotent calls that began at or before an instant; how many there were. */
export const sweepIdempotency = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const some = orUnavailable(
      Effect.map(
        sql`
          DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
            SELECT key_id, idempotency_key FROM idempotency WHERE at <= ${before} LIMIT ${slice}
          ) RETURNING 1`,
        (rows) => rows.length,
      ),
    )
    // How many bytes a day's answers took is of no use when the day is over.
    const counted = orUnavailable(
      Effect.map(
        sql`
          DELETE FROM reply_bytes WHERE (key_id, day) IN (
            SELECT key_id, day FROM reply_bytes WHERE day < ${Math.floor(before / day)} LIMIT ${slice}
          ) RETURNING 1`,
        (rows) => rows.length,
      ),
    )
    return Effect.zipLeft(deletedInSlices(slice, some), deletedInSlices(slice, counted))
  })

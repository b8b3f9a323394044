import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { day } from "../../../core/time.ts"
import { slicesDeleted } from "../engine/slices.ts"
import { mapStorageErrors } from "../engine/storage.ts"
import { sweepNames } from "./sqlite/replyLog.ts"

/** Rows of one deletion; each may be an answer of some kilobytes. */
const slice = 200

/** Deletes the stored replies of calls that began at or before an instant; returns their number. */
export const sweepIdempotency = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    // Rows that a call is writing anew are left to the next sweep.
    const { row, free, names } = sql.onDialectOrElse({
      sqlite: () => ({ row: sql`seq`, free: sql``, names: sweepNames }),
      orElse: () => ({ row: sql`key_id, idempotency_key`, free: sql`FOR UPDATE SKIP LOCKED`, names: Effect.void }),
    })
    const some = slicesDeleted(
      slice,
      sql`
        DELETE FROM idempotency WHERE (${row}) IN (
          SELECT ${row} FROM idempotency WHERE at <= ${before} LIMIT ${slice} ${free}
        ) RETURNING 1`,
    )
    // The byte counts of past days are not needed.
    const counted = slicesDeleted(
      slice,
      sql`
        DELETE FROM reply_bytes WHERE (key_id, day) IN (
          SELECT key_id, day FROM reply_bytes WHERE day < ${Math.floor(before / day)} LIMIT ${slice} ${free}
        ) RETURNING 1`,
    )
    return some.pipe(
      Effect.tap((deleted) => (deleted === 0 ? Effect.void : mapStorageErrors(names))),
      Effect.zipLeft(counted),
    )
  })

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { day } from "../../../core/time.ts"
import { deleteInSlices, deleteRowsInSlices } from "../engine/slices.ts"
import { inTransaction, mapStorageErrors } from "../engine/storage.ts"
import { sweepNames } from "../money/sqlite/replyLog.ts"

/** Replies of one deletion, each of some kilobytes, and deliveries: no call waits long for the write lock. */
const [replySlice, deliverySlice] = [200, 250]

/** Deletes the stored replies of calls that began at or before an instant; returns their number. */
export const sweepIdempotency = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    // Rows being rewritten are skipped until the next sweep.
    const { row, free, names } = sql.onDialectOrElse({
      sqlite: () => ({ row: sql`seq`, free: sql``, names: sweepNames }),
      orElse: () => ({ row: sql`key_id, idempotency_key`, free: sql`FOR UPDATE SKIP LOCKED`, names: Effect.void }),
    })
    const some = deleteRowsInSlices(
      replySlice,
      sql`
        DELETE FROM idempotency WHERE (${row}) IN (
          SELECT ${row} FROM idempotency WHERE at <= ${before} LIMIT ${replySlice} ${free}
        ) RETURNING 1`,
    )
    // The byte counts of past days are not needed.
    const counted = deleteRowsInSlices(
      replySlice,
      sql`
        DELETE FROM reply_bytes WHERE (key_id, day) IN (
          SELECT key_id, day FROM reply_bytes WHERE day < ${Math.floor(before / day)} LIMIT ${replySlice} ${free}
        ) RETURNING 1`,
    )
    return some.pipe(
      Effect.tap((deleted) => (deleted === 0 ? Effect.void : mapStorageErrors(names))),
      Effect.zipLeft(counted),
    )
  })

/** Deletes the reasons of calls that began at or before an instant. */
export const deleteReasons = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    deleteRowsInSlices(
      replySlice,
      sql`
        DELETE FROM call_reasons WHERE request_id IN (
          SELECT request_id FROM call_reasons WHERE at <= ${before} LIMIT ${replySlice}
        ) RETURNING 1`,
    ),
  )

/** Deletes webhook deliveries that ended before an instant, with their attempts; returns their number. */
export const deleteDeliveries = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const some = inTransaction(
      sql,
      Effect.gen(function* () {
        const rows = yield* sql<{ seq: number }>`
          SELECT seq FROM webhook_deliveries WHERE ended_at < ${before} LIMIT ${deliverySlice}`
        if (rows.length === 0) return 0
        const ended = sql.in(rows.map(({ seq }) => seq))
        yield* sql`DELETE FROM webhook_attempts WHERE delivery IN ${ended}`
        yield* sql`DELETE FROM webhook_deliveries WHERE seq IN ${ended}`
        return rows.length
      }),
    )
    return deleteInSlices(deliverySlice, some)
  })

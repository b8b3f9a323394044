import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { deletedInSlices } from "../engine/slices.ts"
import { inTransaction } from "../engine/storage.ts"

/** Deliveries of one transaction, so that no call waits long for the write lock. */
const slice = 250

/** Deletes webhook deliveries that ended before an instant, with their attempts; returns their number. */
export const forgetDeliveries = (before: number): Effect.Effect<number, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const some = inTransaction(
      sql,
      Effect.gen(function* () {
        const rows = yield* sql<{ seq: number }>`
          SELECT seq FROM webhook_deliveries WHERE ended_at < ${before} LIMIT ${slice}`
        if (rows.length === 0) return 0
        const ended = sql.in(rows.map(({ seq }) => seq))
        yield* sql`DELETE FROM webhook_attempts WHERE delivery IN ${ended}`
        yield* sql`DELETE FROM webhook_deliveries WHERE seq IN ${ended}`
        return rows.length
      }),
    )
    return deletedInSlices(slice, some)
  })

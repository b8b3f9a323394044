import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { onPostgres } from "../engine/locks.ts"

/** Locks a webhook, then its pending deliveries in the order in which the delivery queue locks them. */
export const lockWithDeliveries = (sql: SqlClient.SqlClient, id: string) =>
  onPostgres(sql, () =>
    Effect.zipRight(
      sql`SELECT 1 FROM webhooks WHERE id = ${id} FOR NO KEY UPDATE`,
      sql`SELECT 1 FROM webhook_deliveries WHERE webhook_id = ${id} AND ended_at IS NULL ORDER BY seq FOR UPDATE`,
    ),
  )

/** Ends a webhook and its pending deliveries. Call it in a transaction. */
export const remove = (sql: SqlClient.SqlClient, id: string, at: number) =>
  Effect.gen(function* () {
    yield* lockWithDeliveries(sql, id)
    yield* sql`
      UPDATE webhooks SET status = 'deleted', secret = NULL, previous_secret = NULL, previous_until = NULL
      WHERE id = ${id}`
    yield* sql`
      UPDATE webhook_deliveries SET ended_at = ${at}, outcome = 'dead', reason = 'deleted', lease_owner = NULL
      WHERE webhook_id = ${id} AND ended_at IS NULL`
  })

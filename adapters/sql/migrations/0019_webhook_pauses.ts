import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Since when a webhook is paused: the time for which its deliveries are tried stands still. Older pauses count from now. */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhooks ADD COLUMN paused_at BIGINT`
  yield* sql`UPDATE webhooks SET paused_at = ${yield* Clock.currentTimeMillis} WHERE status = 'paused'`
})

export default migration

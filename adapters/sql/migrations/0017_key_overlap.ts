import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * When a key that was rotated ends, apart from `expires_at`, the end of the life it was made for. In keys rotated before
 * this column was there, that was overwritten, and cannot be told from it.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN overlap_ends_at BIGINT`
})

export default migration

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * An agent's audit trail is read in the order of its writing: the ids of calls are in the order of their beginnings, and a
 * reader who went by them would never see a slow call that began before a fast one and ended after it.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX audit_agent_order ON audit (agent_id, seq) WHERE agent_id IS NOT NULL`
})

export default migration

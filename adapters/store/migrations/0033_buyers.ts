import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * The key and the agent that bought a capture, and the agent that wrote an opinion: an agent's key reads only its own sealed
 * leaves. Null without an agent, and in rows of before.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE captures ADD COLUMN key_id TEXT`
  yield* sql`ALTER TABLE captures ADD COLUMN agent_id TEXT`
  yield* sql`ALTER TABLE bench_opinions ADD COLUMN agent_id TEXT`
})

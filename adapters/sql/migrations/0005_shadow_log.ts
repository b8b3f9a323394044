import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** How live answers compared with the mock's. Not of record: old rows go as new ones come. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE shadow_log (
      at BIGINT NOT NULL,
      port TEXT NOT NULL,
      method TEXT NOT NULL,
      args TEXT NOT NULL,
      agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
      difference TEXT,
      live_ms INTEGER NOT NULL,
      failure TEXT,
      dropped INTEGER NOT NULL
    )`
  yield* sql`CREATE INDEX shadow_log_at ON shadow_log (at)`
})

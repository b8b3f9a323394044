import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * Alerts of accounts. `memory` and `pending`, JSON: what the last look saw, and a crossing that is not fired. `version`
 * counts the changes of both.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE alerts (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      agent_id TEXT REFERENCES agents (id),
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      key_hash TEXT NOT NULL,
      name TEXT,
      call TEXT NOT NULL,
      threshold DOUBLE PRECISION,
      hysteresis DOUBLE PRECISION,
      status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'deleted')),
      reason TEXT,
      memory TEXT,
      pending TEXT,
      version INTEGER NOT NULL DEFAULT 0,
      crossings INTEGER NOT NULL DEFAULT 0,
      fired_at BIGINT,
      created_at BIGINT NOT NULL
    )`
  yield* sql`CREATE INDEX alerts_account ON alerts (account_id, id) WHERE status <> 'deleted'`
  yield* sql`CREATE INDEX alerts_active ON alerts (id) WHERE status = 'active'`
})

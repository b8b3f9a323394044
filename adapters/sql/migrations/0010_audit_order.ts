import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { appendOnly, inOrder } from "./appendOnly.ts"

const columns =
  "request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code, charged_micros, latency_ms"

/**
 * The audit trail in the order of its writing: a row is put behind the last one, which touches a page less per commit
 * than a tree of request ids.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE audit_in_order (
      seq ${inOrder(sql)},
      request_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      account_id TEXT NOT NULL,
      agent_id TEXT,
      key_id TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      params_hash TEXT NOT NULL,
      status INTEGER NOT NULL,
      code TEXT,
      charged_micros BIGINT NOT NULL,
      latency_ms INTEGER NOT NULL
    )`
  yield* sql.unsafe(`INSERT INTO audit_in_order (${columns}) SELECT ${columns} FROM audit ORDER BY request_id`)
  yield* sql`DROP TABLE audit`
  yield* sql`ALTER TABLE audit_in_order RENAME TO audit`
  yield* sql`CREATE UNIQUE INDEX audit_agent ON audit (agent_id, request_id) WHERE agent_id IS NOT NULL`
  yield* appendOnly("audit")
})

export default migration

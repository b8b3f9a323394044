import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { monthOf, tableOf, viewOf } from "./auditMonths.ts"

/** The audit trail by months. Rows stay in the order of their writing: a month ends with the last row written in it. */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // How many rows an export of the month held, once there was one.
  yield* sql`
    CREATE TABLE audit_months (
      month TEXT NOT NULL PRIMARY KEY,
      exported_at BIGINT,
      exported_rows BIGINT,
      dropping INTEGER NOT NULL DEFAULT 0 CHECK (dropping IN (0, 1))
    )`
  yield* sql`CREATE TABLE audit_agents (id INTEGER PRIMARY KEY, agent_id TEXT NOT NULL UNIQUE)`
  yield* sql`
    CREATE TABLE audit_callers (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      agent_id TEXT,
      UNIQUE (key_id, account_id, agent_id)
    )`
  yield* sql`
    CREATE TABLE audit_ends (
      id INTEGER PRIMARY KEY,
      endpoint TEXT NOT NULL,
      status INTEGER NOT NULL,
      code TEXT,
      UNIQUE (endpoint, status, code)
    )`
  yield* sql`ALTER TABLE audit RENAME TO audit_before`
  yield* sql`
    INSERT INTO audit_agents (agent_id) SELECT DISTINCT agent_id FROM audit_before WHERE agent_id IS NOT NULL`
  yield* sql`
    INSERT INTO audit_callers (key_id, account_id, agent_id) SELECT DISTINCT key_id, account_id, agent_id FROM audit_before`
  yield* sql`
    INSERT INTO audit_ends (endpoint, status, code) SELECT DISTINCT endpoint, status, code FROM audit_before`
  yield* sql`
    CREATE TEMP TABLE audit_placed AS
    SELECT seq, MAX(strftime('%Y-%m', (at + latency_ms) / 1000, 'unixepoch')) OVER (ORDER BY seq) AS month
    FROM audit_before`
  const placed = yield* sql<{ month: string; first: number; last: number }>`
    SELECT month, MIN(seq) AS first, MAX(seq) AS last FROM audit_placed GROUP BY month ORDER BY month`
  yield* sql`DROP TABLE audit_placed`
  for (const { month, first, last } of placed) {
    for (const statement of monthOf(month)) yield* sql.unsafe(statement)
    yield* sql`INSERT INTO audit_months (month) VALUES (${month})`
    yield* sql.unsafe(
      `INSERT INTO ${tableOf(month)} (at, request_id, caller, agent, ended, params_hash, charged_micros, latency_ms)
       SELECT b.at, b.request_id, c.id, g.id, e.id,
         CASE WHEN length(b.params_hash) = 64 THEN coalesce(unhex(b.params_hash), b.params_hash) ELSE b.params_hash END,
         b.charged_micros, b.latency_ms
       FROM audit_before b
         JOIN audit_callers c ON c.key_id = b.key_id AND c.account_id = b.account_id AND c.agent_id IS b.agent_id
         JOIN audit_ends e ON e.endpoint = b.endpoint AND e.status = b.status AND e.code IS b.code
         LEFT JOIN audit_agents g ON g.agent_id = b.agent_id
       WHERE b.seq BETWEEN ? AND ? ORDER BY b.seq`,
      [first, last],
    )
  }
  yield* sql`DROP TABLE audit_before`
  for (const statement of viewOf(placed.map(({ month }) => month))) yield* sql.unsafe(statement)
})

export default migration

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/** Agents and their caps, the life of keys, the audit trail, the outbox of events and the answers of idempotent calls. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE agents (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      name TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'revoked')),
      monthly_cap_micros BIGINT CHECK (monthly_cap_micros >= 0),
      budget_cap_micros BIGINT CHECK (budget_cap_micros >= 0),
      created_at BIGINT NOT NULL,
      UNIQUE (account_id, name)
    )`
  // What an agent has spent at list price, apart for live and test keys; every call counts in the month it began in,
  // whichever month another one is settled in. `warned` and `exceeded`: the month's event is out; raising a cap clears
  // them.
  yield* sql`
    CREATE TABLE agent_spend (
      agent_id TEXT NOT NULL REFERENCES agents (id),
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      month TEXT NOT NULL,
      micros BIGINT NOT NULL DEFAULT 0 CHECK (micros >= 0),
      warned INTEGER NOT NULL DEFAULT 0,
      exceeded INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (agent_id, livemode, month)
    )`
  yield* sql`ALTER TABLE api_keys ADD COLUMN agent_id TEXT REFERENCES agents (id)`
  yield* sql`ALTER TABLE api_keys ADD COLUMN scopes TEXT`
  yield* sql`ALTER TABLE api_keys ADD COLUMN expires_at BIGINT`
  yield* sql`ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT`
  yield* sql`CREATE INDEX api_keys_agent ON api_keys (agent_id)`
  yield* sql`
    CREATE TABLE audit (
      request_id TEXT NOT NULL PRIMARY KEY,
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
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX audit_agent ON audit (agent_id, request_id) WHERE agent_id IS NOT NULL`
  yield* appendOnly("audit")
  // Written in the transaction that causes an event; delivery reads it.
  yield* sql`
    CREATE TABLE outbox (
      id TEXT NOT NULL PRIMARY KEY,
      at BIGINT NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      type TEXT NOT NULL,
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      data TEXT NOT NULL
    )`
  yield* sql`CREATE INDEX outbox_account ON outbox (account_id, at)`
  yield* appendOnly("outbox")
  yield* sql`
    CREATE TABLE idempotency (
      key_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      at BIGINT NOT NULL,
      request_hash TEXT NOT NULL,
      stored TEXT NOT NULL,
      PRIMARY KEY (key_id, idempotency_key)
    )`
  yield* sql`CREATE INDEX idempotency_at ON idempotency (at)`
})

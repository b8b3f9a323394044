import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, bytes, changing } from "../appendOnly.ts"

/** Accounts, agents and their caps, keys, wallets, the journal and the replies of idempotent calls. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `suspended_at`: since when calls of all its keys are refused.
  yield* sql`
    CREATE TABLE accounts (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      tier TEXT NOT NULL DEFAULT 'indie',
      per_minute INTEGER NOT NULL DEFAULT 60 CHECK (per_minute > 0),
      created_at BIGINT NOT NULL,
      suspended_at BIGINT
    )`
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
  yield* sql`CREATE INDEX agents_account ON agents (account_id, id)`
  // An agent's spend at list price, apart for live and test keys; a call counts in the month in which it began. `warned`
  // and `exceeded`: the month's event was emitted; raising a cap clears them.
  yield* sql`
    CREATE TABLE agent_spend (
      agent_id TEXT NOT NULL REFERENCES agents (id),
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      month TEXT NOT NULL,
      micros BIGINT NOT NULL DEFAULT 0 CHECK (micros >= 0),
      warned INTEGER NOT NULL DEFAULT 0,
      exceeded INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (agent_id, livemode, month)
    ) ${changing(sql)}`
  // `expires_at`: the expiry that a key was created with. `overlap_ends_at`: the end of a rotated key's overlap.
  yield* sql`
    CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      hash TEXT NOT NULL UNIQUE,
      last_four TEXT NOT NULL,
      name TEXT,
      environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
      tier TEXT NOT NULL,
      per_minute INTEGER NOT NULL CHECK (per_minute > 0),
      created_at BIGINT NOT NULL,
      revoked_at BIGINT,
      agent_id TEXT REFERENCES agents (id),
      scopes TEXT,
      expires_at BIGINT,
      last_used_at BIGINT,
      overlap_ends_at BIGINT
    )`
  yield* sql`CREATE INDEX api_keys_account ON api_keys (account_id, id)`
  yield* sql`CREATE INDEX api_keys_agent ON api_keys (agent_id)`
  yield* sql`
    CREATE TABLE wallets (
      account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
      balance_micros BIGINT NOT NULL CHECK (balance_micros >= 0)
    ) ${changing(sql)}`
  // Double entry in one row: every posting moves an amount from one ledger to another, so the sum of all ledgers is always
  // zero. A wallet's ledger is 'wallet:' and the account's id.
  // PostgreSQL checks a reference for each row, and locks the row referred to: a third of the cost of a charge. There the
  // wallet proves the account, and the key's sum of the month the key: both are written by the same transaction.
  const refers = (table: string) =>
    sql.onDialectOrElse({ sqlite: () => sql.literal(`REFERENCES ${table} (id)`), orElse: () => sql.literal("") })
  yield* sql`
    CREATE TABLE journal (
      id TEXT NOT NULL,
      at BIGINT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('credit', 'charge', 'reversal')),
      account_id TEXT NOT NULL ${refers("accounts")},
      debit TEXT NOT NULL,
      credit TEXT NOT NULL CHECK (credit <> debit),
      micros BIGINT NOT NULL CHECK (micros > 0),
      key_id TEXT ${refers("api_keys")},
      endpoint TEXT,
      reverses TEXT CHECK ((reverses IS NOT NULL) = (kind = 'reversal')),
      PRIMARY KEY (account_id, id)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX journal_reverses ON journal (account_id, reverses) WHERE reverses IS NOT NULL`
  yield* appendOnly("journal")
  // Charges per key and UTC month, written by the transaction of the charge, so that the journal need not be summed. A
  // charge counts in the month in which its call began, as for agents.
  yield* sql`
    CREATE TABLE key_spend (
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      month TEXT NOT NULL,
      micros BIGINT NOT NULL CHECK (micros >= 0),
      PRIMARY KEY (key_id, month)
    ) ${byKey(sql)} ${changing(sql)}`
  // Replies of idempotent calls (`money/replies.ts`); a free call may have no stored reply. `reply_bytes`: bytes per key and UTC
  // day.
  yield* sql`
    CREATE TABLE idempotency (
      key_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      at BIGINT NOT NULL,
      request_hash TEXT NOT NULL,
      stored ${bytes(sql)},
      PRIMARY KEY (key_id, idempotency_key)
    )`
  yield* sql`CREATE INDEX idempotency_at ON idempotency (at)`
  yield* sql`
    CREATE TABLE reply_bytes (
      key_id TEXT NOT NULL,
      day INTEGER NOT NULL,
      charged BIGINT NOT NULL DEFAULT 0,
      free BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (key_id, day)
    ) ${byKey(sql)}`
})

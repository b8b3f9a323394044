import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/** Accounts, keys, wallets and the journal of money. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE accounts (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL
    )`
  yield* sql`
    CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      hash TEXT NOT NULL UNIQUE,
      last_four TEXT NOT NULL,
      environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
      tier TEXT NOT NULL,
      per_minute INTEGER NOT NULL CHECK (per_minute > 0),
      created_at BIGINT NOT NULL,
      revoked_at BIGINT
    )`
  yield* sql`CREATE INDEX api_keys_account ON api_keys (account_id, id)`
  yield* sql`
    CREATE TABLE wallets (
      account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
      balance_micros BIGINT NOT NULL CHECK (balance_micros >= 0)
    )`
  // Double entry in one row: every posting moves the same amount out of one ledger into another, so all ledgers
  // together are always zero. A wallet's ledger is 'wallet:' and the account's id.
  yield* sql`
    CREATE TABLE journal (
      id TEXT NOT NULL,
      at BIGINT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('credit', 'charge')),
      account_id TEXT NOT NULL REFERENCES accounts (id),
      debit TEXT NOT NULL,
      credit TEXT NOT NULL CHECK (credit <> debit),
      micros BIGINT NOT NULL CHECK (micros > 0),
      key_id TEXT REFERENCES api_keys (id),
      endpoint TEXT,
      PRIMARY KEY (account_id, id)
    ) ${byKey(sql)}`
  yield* appendOnly("journal")
})

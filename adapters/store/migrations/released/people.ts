import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, inOrder } from "../appendOnly.ts"

/** People, their roles, invitations and sessions, and the log of changes. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE persons (
      id TEXT NOT NULL PRIMARY KEY,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      name TEXT NOT NULL,
      is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
      created_at BIGINT NOT NULL,
      UNIQUE (issuer, subject)
    )`
  yield* sql`
    CREATE TABLE memberships (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      person_id TEXT NOT NULL REFERENCES persons (id),
      role TEXT NOT NULL CHECK (role IN ('viewer', 'owner')),
      PRIMARY KEY (account_id, person_id)
    )`
  yield* sql`CREATE INDEX memberships_person ON memberships (person_id)`
  // Only hashes of codes and tokens are stored.
  yield* sql`
    CREATE TABLE invitations (
      code_hash TEXT NOT NULL PRIMARY KEY,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      name TEXT NOT NULL,
      is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
      account_id TEXT REFERENCES accounts (id),
      role TEXT NOT NULL CHECK (role IN ('viewer', 'owner')),
      invited_by TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    )`
  yield* sql`
    CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      person_id TEXT NOT NULL REFERENCES persons (id),
      account_id TEXT REFERENCES accounts (id),
      created_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      ended_at BIGINT,
      address TEXT,
      browser TEXT
    )`
  yield* sql`CREATE INDEX sessions_person ON sessions (person_id)`
  // Sign-ins that have gone to the identity provider and have not come back. The browser's cookie has the token, from
  // which all else is derived.
  yield* sql`
    CREATE TABLE sign_ins (
      token_hash TEXT NOT NULL PRIMARY KEY,
      code_hash TEXT,
      return_to TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`
  yield* sql`CREATE INDEX sign_ins_expiry ON sign_ins (expires_at)`
  // `form_id`: of a form that was accepted; a second post of it changes nothing.
  yield* sql`
    CREATE TABLE changes (
      seq ${inOrder(sql)},
      at BIGINT NOT NULL,
      who TEXT NOT NULL,
      session_id TEXT,
      address TEXT,
      account_id TEXT,
      verb TEXT NOT NULL,
      subject TEXT NOT NULL,
      form_id TEXT UNIQUE
    )`
  yield* sql`CREATE INDEX changes_account ON changes (account_id, seq)`
  yield* appendOnly("changes")
})

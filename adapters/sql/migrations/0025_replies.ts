import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { byKey } from "./appendOnly.ts"

/**
 * What is kept of idempotent calls: compressed answers, the text of those from before, or nothing but that the call was
 * made, where it cost nothing; and how many bytes each key's took in a UTC day.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE replies (
      key_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      at BIGINT NOT NULL,
      request_hash TEXT NOT NULL,
      stored BLOB,
      PRIMARY KEY (key_id, idempotency_key)
    )`
  yield* sql`
    INSERT INTO replies (key_id, idempotency_key, at, request_hash, stored)
    SELECT key_id, idempotency_key, at, request_hash, stored FROM idempotency`
  yield* sql`DROP TABLE idempotency`
  yield* sql`ALTER TABLE replies RENAME TO idempotency`
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

export default migration

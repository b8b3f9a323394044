import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { secretLength } from "../../../core/gateway/EntityTags.ts"

/**
 * Secrets of the installation itself, which every process over the store shares and nobody is ever told. That of the
 * entity tags is made here, so that no two processes can make it. Hex.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL)`
  const secret = randomBytes(secretLength).toString("hex")
  yield* sql`INSERT INTO installation_secrets (name, secret) VALUES ('entity_tags', ${secret})`
})

export default migration

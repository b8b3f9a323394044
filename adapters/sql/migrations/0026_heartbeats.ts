import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * A row that is written again and again only to show that one can be: a store that answers may still be full or locked.
 * From this schema on, secrets may stand in the store sealed; programs that know an older one would sign with the seal.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.asVoid(sql`CREATE TABLE heartbeats (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)`),
)

export default migration

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"

/** Refuses UPDATE and DELETE on a table, whoever asks. */
export const appendOnly = (table: string): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const verb of ["UPDATE", "DELETE"]) {
      yield* sql.unsafe(`
        CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`)
    }
  })

/** Rows live in the tree of their key where SQLite would keep a second one: half the pages that an insert touches. */
export const byKey = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ sqlite: () => sql.literal("WITHOUT ROWID"), orElse: () => sql.literal("") })

/** A key that counts rows as they come: each is put behind the last one. */
export const inOrder = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    sqlite: () => sql.literal("INTEGER PRIMARY KEY"),
    orElse: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
  })

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"

/** Forbids UPDATE and DELETE on a table, for every connection. */
export const appendOnly = (table: string): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const verb of ["UPDATE", "DELETE"]) {
      yield* sql.unsafe(`
        CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`)
    }
  })

/** Stores rows in the primary key's tree (WITHOUT ROWID), which halves the pages that an insert writes. */
export const byKey = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ sqlite: () => sql.literal("WITHOUT ROWID"), orElse: () => sql.literal("") })

/** A primary key that numbers rows in the order of insertion. */
export const inOrder = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    sqlite: () => sql.literal("INTEGER PRIMARY KEY"),
    orElse: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
  })

import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { transaction } from "../storage.ts"
import schema from "./0028_schema.ts"

/** In order; ids are never reused: 1 to 27 were. Static imports, so that a bundle or Deno needs no directory to read. */
export const migrations = [[28, "schema", schema]] as const

/** The oldest schema that can be brought up to date. Those below it were never released. */
export const oldest: number = migrations[0][0]

/** The schema that this program knows. */
export const newest: number = Math.max(...migrations.map(([id]) => id))

/** The schema of a store: the newest migration that was applied to it; 0 for a new one. Changes nothing. */
export const versionOf: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`
  if (tables.length === 0) return 0
  const [row] = yield* sql<{ id: number | null }>`SELECT max(migration_id) AS id FROM migrations`
  return row?.id ?? 0
})

const run = Migrator.make({})({
  table: "migrations",
  loader: Effect.succeed(migrations.map(([id, name, migration]) => [id, name, Effect.succeed(migration)] as const)),
})

/**
 * Brings a store to the newest schema, whole or not at all. A no-op when it is there already. Programs that open a new
 * store together take turns: by itself the migrator would let the second one go on before the first is done.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(transaction(sql, run)),
).pipe(
  // The migrator throws a migration that failed.
  Effect.catchSomeDefect((defect) =>
    defect instanceof Migrator.MigrationError ? Option.some(Effect.fail(defect)) : Option.none(),
  ),
)

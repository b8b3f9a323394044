import { readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The SQL that migrates a store from the previous schema to this one, for each engine. */
export interface Schema {
  readonly sqlite: string
  readonly postgres: string
}

/** In order: the first makes a new store, and the position of each, from 1, is its number. A bundle contains these texts. */
export const schemas: ReadonlyArray<Schema> = [
  {
    sqlite: readFileSync(new URL("./sqlite.sql", import.meta.url), "utf8"),
    postgres: readFileSync(new URL("./postgres.sql", import.meta.url), "utf8"),
  },
]

export const newest: number = schemas.length

/** The table of a store's schemas, by which its tables are recognised. */
export const versionTable = "store_schemas"

/** The table by which a store from before the first release is known. */
export const unpublishedTable = "migrations"

export const hasTable = (name: string): Effect.Effect<boolean, SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.onDialectOrElse({
        sqlite: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${name}`,
        orElse: () => sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`,
      }),
      (rows) => rows.length > 0,
    ),
  )

/** The schema of a store; 0 for a new one. Read only. */
export const readVersion: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  if (!(yield* hasTable(versionTable))) return 0
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ version: number | null }>`SELECT max(version) AS version FROM ${sql(versionTable)}`
  return row?.version ?? 0
})

/** How an engine changes a store. */
export interface Connection {
  readonly script: (text: string) => Effect.Effect<void, SqlError>
  /** Runs statements in a transaction, which on SQLite begins with the write lock. */
  readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
}

/** Waits without limit, since another node's migration may take minutes, and sets the search path of the owner's functions. */
const lockMigrations = `
  SELECT set_config('lock_timeout', '0', true), set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
  SELECT pg_advisory_xact_lock(hashtext('market-signals migrations'))`

/**
 * Migrates a store to the newest schema, each step in its own transaction: one that fails leaves the store at the schema before.
 * Programs that open a store at the same time wait for each other, and each schema is applied once.
 */
export const migrate = (
  { script, transaction }: Connection,
  all: ReadonlyArray<Schema> = schemas,
): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const engine = sql.onDialectOrElse({ sqlite: () => "sqlite" as const, orElse: () => "postgres" as const })
    const next = Effect.gen(function* () {
      if (engine === "postgres") yield* script(lockMigrations)
      const version = yield* readVersion
      const schema = all[version]
      // Another program has applied it meanwhile.
      if (schema === undefined) return
      yield* script(schema[engine])
      const applied = { version: version + 1, applied_at: yield* Clock.currentTimeMillis }
      yield* sql`INSERT INTO ${sql(versionTable)} ${sql.insert(applied)}`
    })
    while ((yield* readVersion) < all.length) yield* transaction(next)
  })

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"

/** A change of rows that the store refuses, for every connection. */
export interface Refusal {
  readonly name: string
  readonly table: string
  readonly verb: "INSERT" | "UPDATE" | "DELETE"
  /** SQL over OLD and NEW; absent: always. */
  readonly when?: string
  readonly message: string
}

/** Creates the trigger of a refusal. */
export const refuse = ({
  name,
  table,
  verb,
  when,
  message,
}: Refusal): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const text = message.replaceAll("'", "''")
    return Effect.asVoid(
      sql.onDialectOrElse({
        sqlite: () =>
          sql.unsafe(`
            CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} ${when === undefined ? "" : `WHEN ${when}`}
            BEGIN SELECT RAISE(ABORT, '${text}'); END`),
        // A function of its own: the condition of a trigger may not contain a query.
        orElse: () =>
          Effect.zipRight(
            sql.unsafe(`
              CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN
                IF ${when ?? "true"} THEN RAISE EXCEPTION '${text}'; END IF;
                RETURN ${verb === "DELETE" ? "OLD" : "NEW"};
              END $$`),
            sql.unsafe(`CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`),
          ),
      }),
    )
  })

/**
 * The append-only tables of a PostgreSQL schema by name, as its catalogue knows them: those with a trigger that refuses
 * TRUNCATE, and what has such tables as partitions.
 */
export const appendOnlyTables = `
  SELECT c.oid, c.relname AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND (
    c.relkind = 'p' OR EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE '%no\\_truncate'))`

/** Refuses UPDATE and DELETE on a table, and TRUNCATE where it exists. */
export const appendOnly = (table: string): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const message = `${table} is append-only`
    for (const verb of ["UPDATE", "DELETE"] as const) {
      yield* refuse({ name: `${table}_no_${verb.toLowerCase()}`, table, verb, message })
    }
    yield* sql.onDialectOrElse({
      sqlite: () => Effect.void,
      // The function of UPDATE refuses every row and statement alike.
      orElse: () =>
        Effect.asVoid(
          sql.unsafe(`
            CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
            FOR EACH STATEMENT EXECUTE FUNCTION ${table}_no_update()`),
        ),
    })
  })

/** The type of bytes. */
export const bytes = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ sqlite: () => sql.literal("BLOB"), orElse: () => sql.literal("BYTEA") })

/** Stores rows in the primary key's tree (WITHOUT ROWID), which halves the pages that an insert writes. */
export const byKey = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ sqlite: () => sql.literal("WITHOUT ROWID"), orElse: () => sql.literal("") })

/** For tables whose rows change with every charge: PostgreSQL leaves room in their pages, so that no index is written. */
export const changing = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({ sqlite: () => sql.literal(""), orElse: () => sql.literal("WITH (fillfactor = 50)") })

/** A primary key that numbers rows in the order of insertion. */
export const inOrder = (sql: SqlClient.SqlClient): Fragment =>
  sql.onDialectOrElse({
    sqlite: () => sql.literal("INTEGER PRIMARY KEY"),
    orElse: () => sql.literal("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
  })

/**
 * A column of finite numbers, or null. PostgreSQL would store NaN, and compare it as the largest number; SQLite's client
 * refuses it (`engine/sqlite/client.ts`), since the driver would bind it as null.
 */
export const finiteOrNull = (sql: SqlClient.SqlClient, column: string): Fragment =>
  sql.literal(`${column} DOUBLE PRECISION CHECK (${column} BETWEEN -1e308 AND 1e308)`)

/** A column of finite numbers. */
export const finite = (sql: SqlClient.SqlClient, column: string): Fragment =>
  sql.literal(`${column} DOUBLE PRECISION NOT NULL CHECK (${column} BETWEEN -1e308 AND 1e308)`)

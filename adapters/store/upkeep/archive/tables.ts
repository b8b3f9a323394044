import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { readMonths } from "../../audit/auditReads.ts"
import { findEngine } from "../../engine/Dialect.ts"
import type { Value } from "../../engine/Transactions.ts"
import { schemas } from "../../schema/migrate.ts"

/** The values of a row in the order of the table's columns. */
export type Row = ReadonlyArray<Value>

/** The type of a column's values, the same for both engines. */
export type Type = "bigint" | "double precision" | "text" | "bytea"

export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The types of the columns, in their order. */
  readonly types: ReadonlyArray<Type>
  /** Columns that identify a row. */
  readonly key: ReadonlyArray<string>
  /** Queries that, one after the other, read its rows in order. */
  readonly queries: ReadonlyArray<string>
}

const findNames = (engine: "sqlite" | "postgres", statement: RegExp): ReadonlyArray<string> =>
  schemas.flatMap((schema) => [...schema[engine].matchAll(statement)].map(([, name]) => name!))

/** Tables of both engines that are not archived: the schemas and the heartbeats of a store. */
const notArchived: ReadonlySet<string> = new Set(["store_schemas", "heartbeats"])

const onSqlite = new Set(findNames("sqlite", /^CREATE TABLE (\w+)/gm))

/** Tables that both engines have, in the order of their schema: referenced ones come first, and events before webhooks. */
const archived = findNames("postgres", /^CREATE TABLE (\w+)/gm).filter(
  (name) => onSqlite.has(name) && !notArchived.has(name),
)

/** The archived tables that have rows in a new store. */
export const filledAtFirst: ReadonlyArray<string> = findNames("postgres", /^INSERT INTO (\w+)/gm).filter((name) =>
  archived.includes(name),
)

/** Columns that only SQLite has: the order of arrival, and the place of a fold. */
const onSqliteOnly: ReadonlySet<string> = new Set(["idempotency.seq", "wallets.folded"])

/** The key of a table that has another primary key on SQLite. */
const keys: Readonly<Record<string, ReadonlyArray<string>>> = { idempotency: ["key_id", "idempotency_key"] }

/** What is archived instead of all rows of a table. A month that is being dropped is left out. */
const sources: Readonly<Record<string, string>> = {
  // On SQLite most charges are only rows of the trail.
  journal: "postings",
  audit_months: "audit_months WHERE dropping = 0",
}

/** The other names of types in the schemas. */
const otherTypes: Readonly<Record<string, Type>> = { integer: "bigint", blob: "bytea" }

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Place in the primary key, from 1; 0 outside. */
  readonly place: number
}

const columnRows = {
  sqlite: `
    SELECT t.name AS "table", c.name, c.type, c.pk AS place FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' ORDER BY c.cid`,
  postgres: `
    SELECT t.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
      coalesce(array_position(k.indkey::int2[], a.attnum) + 1, 0) AS place
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' ORDER BY a.attnum`,
}

export const quoteNames = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")

/** Rows are in the order of the primary key; of all columns where a table has none. Nulls come first on both engines. */
const makeTable = (name: string, rows: ReadonlyArray<ColumnRow>): Table => {
  const shared = rows.filter((row) => !onSqliteOnly.has(`${name}.${row.name}`))
  const columns = shared.map((row) => row.name)
  const primary = shared.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
  const key = keys[name] ?? (primary.length === 0 ? columns : primary.map((row) => row.name))
  const order = key.map((column) => `"${column}" NULLS FIRST`).join(", ")
  return {
    ...{ name, columns, key },
    types: shared.map(({ type }) => otherTypes[type.toLowerCase()] ?? (type.toLowerCase() as Type)),
    queries: [`SELECT ${quoteNames(columns)} FROM ${sources[name] ?? name} ORDER BY ${order}`],
  }
}

const trailColumns =
  "month request_id at account_id agent_id key_id endpoint params_hash status code charged_micros latency_ms calls".split(
    " ",
  )
const trailNumbers: ReadonlySet<string> = new Set(["at", "status", "charged_micros", "latency_ms", "calls"])

/** The audit trail is stored differently on each engine. It is archived as whole rows, by month, in the order of writing. */
export const trail = "audit"

const monthSource = {
  sqlite: (month: string) => `audit WHERE seq >= (SELECT first FROM audit_parts WHERE month = '${month}')
    AND seq <= (SELECT last FROM audit_parts WHERE month = '${month}') ORDER BY seq`,
  postgres: (month: string) => `audit WHERE month = '${month}' ORDER BY tx, seq`,
}

/** The tables of an archive as a store has them now; the trail comes last, after the names of its months. */
export const archivedTables: Effect.Effect<ReadonlyArray<Table>, SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = Arr.groupBy(yield* sql.unsafe<ColumnRow>(columnRows[findEngine(sql)]), ({ table }) => table)
    const months = yield* readMonths(sql)
    const last: Table = {
      ...{ name: trail, columns: trailColumns, key: ["month", "request_id"] },
      types: trailColumns.map((name) => (trailNumbers.has(name) ? "bigint" : "text")),
      queries: months.map((month) => `SELECT ${quoteNames(trailColumns)} FROM ${monthSource[findEngine(sql)](month)}`),
    }
    return [...archived.map((name) => makeTable(name, rows[name]!)), last]
  },
)

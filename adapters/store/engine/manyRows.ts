import type { SqlError } from "@effect/sql/SqlError"
import * as Exit from "effect/Exit"
import * as Step from "../../../core/Step.ts"
import type { Queries, Query, Value } from "./Transactions.ts"

/**
 * Rows of one statement. On PostgreSQL a statement is a round trip. On SQLite each number of rows is prepared separately, so
 * only powers of two are used: 32, 16, 8 and so on.
 */
const rowsPerStatement = {
  sqlite: (rest: number): number => Math.min(32, 2 ** Math.floor(Math.log2(rest))),
  postgres: (rest: number): number => Math.min(500, rest),
}

/** A statement over a list of any length, such as an INSERT or a look-up of keys. */
interface ManyRows<Row> {
  readonly all: (items: ReadonlyArray<ReadonlyArray<Value>>) => Step.Step<ReadonlyArray<Row>, SqlError>
  /** Returns the number of changed rows. */
  readonly run: (items: ReadonlyArray<ReadonlyArray<Value>>) => Step.Step<number, SqlError>
}

/**
 * Prepares such a statement. It runs in slices, so all of them together are one statement only inside a transaction.
 *
 * @param textOf the statement's text; `list("(?, ?)")` is replaced by that text once per item, separated by commas
 */
export const prepareMany = <Row = unknown>(
  { prepare, dialect }: Queries,
  textOf: (list: (item: string) => string) => string,
): ManyRows<Row> => {
  const queries = new Map<number, Query<Row>>()
  const prepareFor = (count: number): Query<Row> => {
    const query = queries.get(count) ?? prepare<Row>(textOf((item) => new Array(count).fill(item).join(", ")))
    if (dialect === "sqlite") queries.set(count, query)
    return query
  }
  const inSlices = <A>(slice: (query: Query<Row>, params: ReadonlyArray<Value>) => Step.Step<A, SqlError>) =>
    Step.fn(function* (items: ReadonlyArray<ReadonlyArray<Value>>) {
      const results: Array<A> = []
      for (let from = 0; from < items.length; ) {
        const count = rowsPerStatement[dialect](items.length - from)
        const params = count === 1 ? items[from]! : items.slice(from, from + count).flat()
        results.push(yield* slice(prepareFor(count), params))
        from += count
      }
      return results
    })
  const all = inSlices((query, params) => query.all(...params))
  const run = inSlices((query, params) => query.run(...params))
  return {
    all: (items) => Step.andThen(all(items), (rows) => Exit.succeed(rows.length === 1 ? rows[0]! : rows.flat())),
    run: (items) =>
      Step.andThen(run(items), (counts) => Exit.succeed(counts.reduce((sum, changed) => sum + changed, 0))),
  }
}

/** Inserts rows, whose values are in the order of the columns. */
export const makeInserts = (
  queries: Queries,
  table: string,
  columns: ReadonlyArray<string>,
  onConflict = "",
): ManyRows<unknown> =>
  prepareMany(queries, (list) => {
    const row = `(${columns.map(() => "?").join(", ")})`
    return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${list(row)} ${onConflict}`
  })

/**
 * Looks rows up by a key of theirs: on SQLite one by one, which is the fastest there, on PostgreSQL together.
 *
 * @returns the rows in the order of the keys
 */
export const prepareLookUp = <Row extends object>(
  { prepare, dialect }: Queries,
  { table, key, columns }: { readonly table: string; readonly key: string; readonly columns: string },
): ((keys: ReadonlyArray<Value>) => Step.Step<ReadonlyArray<Row | undefined>, SqlError>) => {
  if (dialect === "sqlite") {
    const one = prepare<Row>(`SELECT ${columns} FROM ${table} WHERE ${key} = ?`)
    return Step.fn(function* (keys) {
      const rows: Array<Row | undefined> = []
      for (const each of keys) rows.push(yield* one.get(each))
      return rows
    })
  }
  return Step.fn(function* (keys) {
    const byKey = new Map<Value, Row>()
    for (let from = 0; from < keys.length; ) {
      const some = keys.slice(from, from + rowsPerStatement[dialect](keys.length - from))
      const list = some.map(() => "?").join(", ")
      const query = prepare<Row & { readonly looked_up: Value }>(
        `SELECT ${key} AS looked_up, ${columns} FROM ${table} WHERE ${key} IN (${list})`,
      )
      for (const row of yield* query.all(...some)) byKey.set(row.looked_up, row)
      from += some.length
    }
    return keys.map((each) => byKey.get(each))
  })
}

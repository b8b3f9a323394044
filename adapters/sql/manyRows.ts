import type { SqlError } from "@effect/sql/SqlError"
import * as Step from "../../core/Step.ts"
import type { Queries, Query, Value } from "./Transactions.ts"

/**
 * Rows of one statement. On PostgreSQL a statement is a round trip. On SQLite it is prepared for every number of rows, so
 * they are powers of two: 32, 16, 8 and so on.
 */
const countOf = {
  sqlite: (rest: number): number => Math.min(32, 2 ** Math.floor(Math.log2(rest))),
  postgres: (rest: number): number => Math.min(500, rest),
}

/** A statement that writes a list of any length. Returns the number of changed rows. */
export type ManyRows = (items: ReadonlyArray<ReadonlyArray<Value>>) => Step.Step<number, SqlError>

/**
 * Prepares such a statement. It runs in slices, so all of them together are one statement only inside a transaction.
 *
 * @param textOf the statement's text; `list("(?, ?)")` is replaced by that text once per item, separated by commas
 */
export const manyRows = (
  { prepare, dialect }: Queries,
  textOf: (list: (item: string) => string) => string,
): ManyRows => {
  const queries = new Map<number, Query<unknown>>()
  const queryOf = (count: number): Query<unknown> => {
    const query = queries.get(count) ?? prepare(textOf((item) => new Array(count).fill(item).join(", ")))
    if (dialect === "sqlite") queries.set(count, query)
    return query
  }
  return Step.fn(function* (items) {
    let changed = 0
    for (let from = 0; from < items.length; ) {
      const count = countOf[dialect](items.length - from)
      changed += yield* queryOf(count).run(...(count === 1 ? items[from]! : items.slice(from, from + count).flat()))
      from += count
    }
    return changed
  })
}

/**
 * Looks rows up by a key of theirs: on SQLite one by one, which is the fastest there, on PostgreSQL together.
 *
 * @returns the rows in the order of the keys
 */
export const lookUp = <Row extends object>(
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
    const found = new Map<Value, Row>()
    for (let from = 0; from < keys.length; ) {
      const some = keys.slice(from, from + countOf[dialect](keys.length - from))
      const list = some.map(() => "?").join(", ")
      const query = prepare<Row & { readonly looked_up: Value }>(
        `SELECT ${key} AS looked_up, ${columns} FROM ${table} WHERE ${key} IN (${list})`,
      )
      for (const row of yield* query.all(...some)) found.set(row.looked_up, row)
      from += some.length
    }
    return keys.map((each) => found.get(each))
  })
}

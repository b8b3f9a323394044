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

/** A statement over a list of any length, such as an INSERT or a look-up of keys. */
export interface ManyRows<Row> {
  readonly all: (items: ReadonlyArray<ReadonlyArray<Value>>) => Step.Step<ReadonlyArray<Row>, SqlError>
  /** Returns the number of changed rows. */
  readonly run: (items: ReadonlyArray<ReadonlyArray<Value>>) => Step.Step<number, SqlError>
}

/**
 * Prepares such a statement. It runs in slices, so all of them together are one statement only inside a transaction.
 *
 * @param textOf the statement's text; `list("(?, ?)")` is replaced by that text once per item, separated by commas
 */
export const manyRows = <Row = unknown>(
  { prepare, dialect }: Queries,
  textOf: (list: (item: string) => string) => string,
): ManyRows<Row> => {
  const queries = new Map<number, Query<Row>>()
  const queryOf = (count: number): Query<Row> => {
    const query = queries.get(count) ?? prepare<Row>(textOf((item) => new Array(count).fill(item).join(", ")))
    if (dialect === "sqlite") queries.set(count, query)
    return query
  }
  /** The statements for the items, with their parameters. */
  const slicesOf = function* (items: ReadonlyArray<ReadonlyArray<Value>>) {
    for (let from = 0; from < items.length; ) {
      const count = countOf[dialect](items.length - from)
      yield { query: queryOf(count), params: count === 1 ? items[from]! : items.slice(from, from + count).flat() }
      from += count
    }
  }
  return {
    all: Step.fn(function* (items) {
      const rows: Array<Row> = []
      for (const { query, params } of slicesOf(items)) {
        for (const row of yield* query.all(...params)) rows.push(row)
      }
      return rows
    }),
    run: Step.fn(function* (items) {
      let changed = 0
      for (const { query, params } of slicesOf(items)) changed += yield* query.run(...params)
      return changed
    }),
  }
}

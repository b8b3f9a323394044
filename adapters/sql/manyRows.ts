import type { SqlError } from "@effect/sql/SqlError"
import * as Step from "../../core/Step.ts"
import type { Queries, Query, Value } from "./Transactions.ts"

/**
 * Rows of one statement. On PostgreSQL a statement is a round trip, on SQLite a call: there the statement for one row is
 * prepared once, which is the fastest.
 */
const atOnce = { sqlite: 1, postgres: 500 }

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
  const most = atOnce[dialect]
  const queryOf = (count: number) =>
    prepare<Row>(textOf((item) => Array.from({ length: count }, () => item).join(", ")))
  const one = queryOf(1)
  type Items = ReadonlyArray<ReadonlyArray<Value>>
  const queryAt = (items: Items, from: number): Query<Row> => {
    const count = Math.min(most, items.length - from)
    return count === 1 ? one : queryOf(count)
  }
  const paramsAt = (items: Items, from: number): ReadonlyArray<Value> =>
    most === 1 ? items[from]! : items.slice(from, from + most).flat()
  return {
    all: Step.fn(function* (items) {
      const rows: Array<Row> = []
      for (let from = 0; from < items.length; from += most) {
        for (const row of yield* queryAt(items, from).all(...paramsAt(items, from))) rows.push(row)
      }
      return rows
    }),
    run: Step.fn(function* (items) {
      let changed = 0
      for (let from = 0; from < items.length; from += most) {
        changed += yield* queryAt(items, from).run(...paramsAt(items, from))
      }
      return changed
    }),
  }
}

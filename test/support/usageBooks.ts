import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folds } from "../../adapters/store/money/folds.ts"
import { spanStart } from "../../core/account/Usage.ts"
import { sum } from "./accounts.ts"

interface Row {
  readonly at: number
  readonly calls: number
  readonly charged: number
}

/** By month, whatever the spans of the rows are. */
const byMonth = (rows: ReadonlyArray<Row>) => {
  const months = new Map<number, { calls: number; charged: number }>()
  for (const { at, calls, charged } of rows) {
    const month = months.get(spanStart("month", at)) ?? { calls: 0, charged: 0 }
    months.set(spanStart("month", at), { calls: month.calls + calls, charged: month.charged + charged })
  }
  return months
}

/** Rows that are in the sums. */
export const foldedRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql.onDialectOrElse({
    sqlite: () => sql<{ rows: number }>`SELECT count(*) AS rows FROM audit_index`,
    orElse: () => sql<{ rows: number }>`SELECT count(*) AS rows FROM audit`,
  })
  return Number(row!.rows)
})

/**
 * Folds the rest; then the stored sums are those of the journal, month by month, each call in one sum of a kind. Returns the
 * folded rows.
 */
export const usageEqualsJournal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* folds).all
  const journal = yield* sql<Row>`SELECT at, 1 AS calls, micros AS charged FROM postings WHERE kind = 'charge'`
  for (const kind of ["endpoint", "agent", "key", "status"]) {
    const sums = yield* sql<Row>`
      SELECT start AS at, calls, charged_micros AS charged FROM usage_sums WHERE kind = ${kind}`
    assert.deepStrictEqual(byMonth(sums), byMonth(journal), kind)
  }
  const rows = yield* foldedRows
  const [{ charges } = { charges: 0 }] = yield* sql<{ charges: number }>`
    SELECT count(*) AS charges FROM postings WHERE kind = 'charge'`
  assert.strictEqual(sum([rows]), charges)
  return rows
})

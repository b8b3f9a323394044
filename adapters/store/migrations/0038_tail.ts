import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { tableOf, trailView } from "../audit/months.ts"

/**
 * On SQLite, wallets, sums of keys, the journal's charges and the rows of an account are folds of the audit trail
 * (`money/sqlite/Tail.ts`). Until now they were written with each call: all rows that are there are folded.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    orElse: () => Effect.void,
    sqlite: () =>
      Effect.gen(function* () {
        yield* sql`
          CREATE TABLE audit_folds (
            month TEXT NOT NULL,
            account INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (month, account)
          ) WITHOUT ROWID`
        const months = yield* sql<{
          month: string
          dropping: number
        }>`SELECT month, dropping FROM audit_months ORDER BY month`
        yield* sql`DROP VIEW IF EXISTS audit`
        for (const { month } of months) {
          // A program of before that has the store open would debit its calls itself: from here on its charges fail.
          yield* sql`ALTER TABLE ${sql(tableOf(month))} RENAME COLUMN calls TO call_count`
          yield* sql`
            INSERT INTO audit_folds (month, account, seq) SELECT ${month}, 0, coalesce(max(seq), 0) FROM ${sql(tableOf(month))}`
        }
        const readable = months.filter(({ dropping }) => dropping === 0).map(({ month }) => month)
        for (const statement of trailView(readable)) yield* sql.unsafe(statement)
      }),
  })
})

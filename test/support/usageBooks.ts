import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spans, Usage } from "../../core/account/Usage.ts"
import { sum } from "./accounts.ts"

interface Row {
  readonly at: number
  readonly calls: number
  readonly charged: number
}

const byTime = (rows: ReadonlyArray<Row>) => new Map(rows.map(({ at, calls, charged }) => [at, { calls, charged }]))

/** Folds the rest; then the stored sums are those of the journal, hour by hour and day by day. Returns the folded rows. */
export const usageEqualsJournal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { fold } = yield* Usage
  while ((yield* fold).more);
  for (const size of Object.values(spans)) {
    const journal = yield* sql<Row>`
      SELECT at - at % ${sql.literal(String(size))} AS at, count(*) AS calls, CAST(sum(micros) AS BIGINT) AS charged
      FROM journal WHERE kind = 'charge' GROUP BY 1`
    for (const kind of ["endpoint", "agent", "key", "status"]) {
      const sums = yield* sql<Row>`
        SELECT start AS at, CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(charged_micros) AS BIGINT) AS charged
        FROM usage_sums WHERE span = ${size} AND kind = ${kind} GROUP BY 1`
      assert.deepStrictEqual(byTime(sums), byTime(journal), kind)
    }
  }
  const [{ rows } = { rows: 0 }] = yield* sql<{ rows: number }>`
    SELECT CAST(coalesce(sum(folded), 0) AS BIGINT) AS rows FROM usage_months`
  const [{ charges } = { charges: 0 }] = yield* sql<{ charges: number }>`
    SELECT count(*) AS charges FROM journal WHERE kind = 'charge'`
  assert.strictEqual(sum([rows]), charges)
  return rows
})

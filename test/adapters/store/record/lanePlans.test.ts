import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import { makeSteps } from "../../../../adapters/store/record/Settled.ts"

const plan = (statement: string, params: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, params), (rows) =>
      rows.map(({ detail }) => detail).join("; "),
    ),
  )

describe("SQLite reads", () => {
  it.effect("a page of settled rows off one index, without sorting", () =>
    Effect.gen(function* () {
      const { prepare, dialect } = yield* Transactions
      const queries: Array<string> = []
      makeSteps({
        dialect,
        prepare: (text) => {
          queries.push(text)
          return prepare(text)
        },
      })
      const page = queries.find((text) => text.includes("ORDER BY close_time DESC"))!
      const read = yield* plan(page, ["crypto", 1, 1, "", "", 1])
      assert.match(read, /settled_rows_pages \(domain=\? AND close_time<\?\)/)
      assert.notMatch(read, /TEMP B-TREE/)
    }).pipe(Effect.provide(sqlite.layer(":memory:"))),
  )
})

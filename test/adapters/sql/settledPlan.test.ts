import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { steps } from "../../../adapters/lanes/markets/store/Settled.ts"
import { Sqlite } from "../../../adapters/sql/client.sqlite.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import { Transactions } from "../../../adapters/sql/Transactions.ts"

describe("settled rows on SQLite", () => {
  it.effect("are read as a page off one index, without sorting", () =>
    Effect.gen(function* () {
      const { db } = yield* Sqlite
      const { prepare, dialect } = yield* Transactions
      const queries: Array<string> = []
      steps({
        dialect,
        prepare: (text) => {
          queries.push(text)
          return prepare(text)
        },
      })
      const page = queries.find((text) => text.includes("ORDER BY close_time DESC"))!
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${page}`).all("crypto", 1, 1, "", "", 1) as ReadonlyArray<{
        readonly detail: string
      }>
      const searched = plan.map(({ detail }) => detail).join("\n")
      assert.match(searched, /settled_rows_pages \(domain=\? AND close_time<\?\)/)
      assert.notMatch(searched, /TEMP B-TREE/)
    }).pipe(Effect.provide(sqlite.layer(":memory:"))),
  )
})

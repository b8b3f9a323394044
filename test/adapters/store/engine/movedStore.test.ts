import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { markMoved, movedTable, refuseMoved } from "../../../../adapters/store/engine/movedStore.ts"
import { defectOf, rowsOf, withOther } from "../../../support/sqlite.ts"

const tables = Effect.zipRight(
  rowsOf("CREATE TABLE one (n INTEGER)"),
  Effect.zipRight(rowsOf("CREATE TABLE other (n INTEGER)"), rowsOf("INSERT INTO one VALUES (1)")),
)
const at = Date.UTC(2026, 6, 8, 12, 30)

describe("a store that was moved", () => {
  it.effect("is refused by its name, with where to and when; any other is not", () =>
    withOther(
      ":memory:",
      Effect.gen(function* () {
        yield* tables
        yield* refuseMoved("The store")
        yield* markMoved(["one"], "postgres://db.example/signals", at)
        const error = yield* Effect.flip(refuseMoved("The store"))
        if (error._tag !== "StoreError") return assert.fail(error._tag)
        assert.strictEqual(error.reason, "moved")
        assert.strictEqual(
          error.message,
          "The store was moved to postgres://db.example/signals at 2026-07-08T12:30:00.000Z and takes nothing more. Name that store in DATABASE_URL.",
        )
        assert.deepStrictEqual(yield* rowsOf(`SELECT * FROM ${movedTable}`), [
          { target: "postgres://db.example/signals", at },
        ])
      }),
    ),
  )

  it.effect("refuses changes of all its tables, also from programs that have it open, and can be read", () =>
    withOther(
      ":memory:",
      Effect.gen(function* () {
        yield* tables
        yield* markMoved(["one"], "elsewhere", at)
        for (const change of ["INSERT INTO one VALUES (2)", "UPDATE one SET n = 2", "DELETE FROM one"]) {
          const exit = yield* Effect.exit(rowsOf(change))
          assert.match(defectOf(exit), /This store was moved to another one\./, change)
        }
        assert.deepStrictEqual(yield* rowsOf("SELECT n FROM one"), [{ n: 1 }])
        yield* rowsOf("INSERT INTO other VALUES (2)")
      }),
    ),
  )

  it.effect("is marked by the transaction, and not at all if that is rolled back", () =>
    withOther(
      ":memory:",
      Effect.gen(function* () {
        yield* tables
        const sql = yield* SqlClient.SqlClient
        yield* Effect.exit(sql.withTransaction(Effect.zipRight(markMoved(["one"], "elsewhere", at), Effect.fail("no"))))
        yield* refuseMoved("The store")
        yield* rowsOf("INSERT INTO one VALUES (2)")
      }),
    ),
  )
})

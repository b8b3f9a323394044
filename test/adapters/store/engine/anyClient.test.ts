import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import * as Step from "../../../../core/Step.ts"
import { anyStore, sharedStore } from "../../../support/anyStore.ts"

const add = "INSERT INTO record_inputs (hash, text) VALUES (?, ?)"
const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT hash, text FROM record_inputs ORDER BY hash`)

describe("a store over any client", () => {
  it.effect("is exact: what is appended stays, NaN is refused, whole numbers are numbers, a change is counted", () =>
    Effect.gen(function* () {
      const { dialect, prepare, read, write } = yield* Transactions
      assert.strictEqual(yield* write(() => prepare(add).run("a", "1")), 1)
      const replace =
        dialect === "sqlite"
          ? add.replace("INSERT", "INSERT OR REPLACE")
          : "DELETE FROM record_inputs WHERE hash < ?||?"
      assert.isTrue(Exit.isFailure(yield* Effect.exit(write(() => prepare(replace).run("a", "2")))))
      assert.deepStrictEqual(yield* rows, [{ hash: "a", text: "1" }])
      const suspended = prepare<{ at: number }>(
        "INSERT INTO accounts (id, name, created_at, suspended_at) VALUES (?, ?, ?, ?) RETURNING created_at AS at",
      )
      for (const call of [suspended.all, suspended.get, suspended.run]) {
        const refused = write(() => call("acct_1", "one", 1, Number.NaN) as Step.Step<unknown, never>)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(refused)))
      }
      const at = Date.UTC(2026, 0)
      assert.deepStrictEqual(yield* write(() => suspended.get("acct_1", "one", at, null)), { at })
      assert.deepStrictEqual(yield* read(() => prepare("SELECT count(*) AS n FROM accounts").all()), [{ n: 1 }])
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("has a transaction done or not at all", () =>
    Effect.gen(function* () {
      const { prepare, write } = yield* Transactions
      const both = write(() =>
        Step.gen(function* () {
          yield* prepare(add).run("a", "1")
          yield* prepare(add).run("a", "2")
        }),
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(both)))
      assert.deepStrictEqual(yield* rows, [])
    }).pipe(Effect.provide(anyStore)),
  )

  it.scoped("is opened again as it was left", () =>
    Effect.gen(function* () {
      const store = yield* sharedStore
      const opened = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient | Transactions>) =>
        Effect.provide(use, Layer.fresh(store))
      yield* opened(Effect.flatMap(Transactions, ({ prepare, write }) => write(() => prepare(add).run("a", "1"))))
      assert.deepStrictEqual(yield* opened(rows), [{ hash: "a", text: "1" }])
      const newer = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO store_schemas VALUES (99, 0)`)
      yield* opened(newer)
      const { message } = yield* Effect.flip(opened(rows))
      assert.match(message, /its schema is 99/)
    }),
  )
})

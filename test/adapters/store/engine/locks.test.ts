import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { lockRow, makeSerialiseStep, serialise } from "../../../../adapters/store/engine/locks.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import * as Step from "../../../../core/Step.ts"

describe("locks of PostgreSQL", () => {
  it.effect("are nothing on SQLite, which has one writer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* serialise(sql, "b", "a", "b")
      yield* lockRow(sql, "wallets", "acct_1")
      const step = makeSerialiseStep(yield* Transactions)("a")
      assert.isTrue(Step.isDone(step))
      yield* Step.run(step)
    }).pipe(Effect.provide(sqlite.layer(":memory:"))),
  )

  it.effect("are taken by a step in the order of the names, each once", () =>
    Effect.gen(function* () {
      const locked: Array<unknown> = []
      const get = (...params: ReadonlyArray<unknown>) => {
        locked.push(...params)
        return Effect.succeed(undefined)
      }
      const lock = makeSerialiseStep({
        dialect: "postgres",
        prepare: (text) => {
          assert.match(text, /pg_advisory_xact_lock/)
          return { get, all: () => Effect.succeed([]), run: () => Effect.succeed(0) }
        },
      })
      yield* Step.run(lock())
      assert.deepStrictEqual(locked, [])
      yield* Step.run(lock("b", "c", "a", "b"))
      assert.deepStrictEqual(locked, ["a", "b", "c"])
    }),
  )
})

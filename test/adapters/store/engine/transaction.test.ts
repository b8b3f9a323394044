import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { inTransaction } from "../../../../adapters/store/engine/storage.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { defectOf, inserted, otherClient, rowsOf, using, valueOf } from "../../../support/sqlite.ts"
import { storeFile } from "../../../support/store.ts"

describe("a transaction", () => {
  const account = (n: number) => inserted("accounts", { id: `acct_${n}`, name: `${n}`, created_at: n })
  const names = Effect.map(rowsOf("SELECT name FROM accounts ORDER BY name"), (rows) => rows.map(({ name }) => name))
  const transact = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => inTransaction(sql, effect))

  it.effect("cannot be nested; the attempt rolls the outer one back", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const exit = yield* Effect.exit(transact(Effect.zipRight(account(1), transact(account(2)))))
        assert.match(defectOf(exit), /A transaction must not be opened inside another one/)
        assert.deepStrictEqual(yield* names, [])
        yield* transact(account(3))
        assert.deepStrictEqual(yield* names, ["3"])
      }),
    ),
  )

  const endings: ReadonlyArray<readonly [name: string, ending: Effect.Effect<unknown, unknown, SqlClient.SqlClient>]> =
    [
      ["a failure", Effect.fail(fail("not_found"))],
      ["a defect", Effect.die(new Error("bug"))],
      ["an interruption", Effect.interrupt],
      ["a failing statement", Effect.zipRight(account(3), account(1))],
    ]
  for (const [name, ending] of endings) {
    it.effect(`is rolled back completely by ${name}`, () =>
      using(
        ":memory:",
        Effect.gen(function* () {
          const exit = yield* Effect.exit(transact(Effect.zipRight(Effect.zipRight(account(1), account(2)), ending)))
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(yield* names, [])
          yield* transact(account(4))
          assert.deepStrictEqual(yield* names, ["4"])
        }),
      ),
    )
  }

  it.effect("is closed after a failed commit", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const orphan = inserted("wallets", { account_id: "nobody", balance_micros: 1 })
        const exit = yield* Effect.exit(transact(Effect.zipRight(rowsOf("PRAGMA defer_foreign_keys = ON"), orphan)))
        assert.match(defectOf(exit), /FOREIGN KEY constraint failed/)
        assert.strictEqual(yield* valueOf("SELECT COUNT(*) FROM wallets"), 0)
        yield* transact(account(1))
        assert.deepStrictEqual(yield* names, ["1"])
      }),
    ),
  )

  it.effect("fails with storage_unavailable in a full store, until there is room again", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const pages = yield* valueOf("PRAGMA page_count")
        yield* rowsOf(`PRAGMA max_page_count = ${pages}`)
        const fill = Effect.forEach(
          Array.from({ length: 1_000 }, (_, n) => n),
          (n) => transact(account(n)),
        )
        const failure = yield* Effect.flip(fill)
        assert.strictEqual((failure as Failure).code, "storage_unavailable")
        const before = yield* names
        assert.strictEqual(((yield* Effect.flip(transact(account(5_000)))) as Failure).code, "storage_unavailable")
        assert.deepStrictEqual(yield* names, before)
        yield* rowsOf("PRAGMA max_page_count = 10000")
        yield* transact(account(5_000))
        assert.strictEqual((yield* names).length, before.length + 1)
      }),
    ),
  )

  it.scoped("blocks other programs' writes from its start, so that its reads stay valid", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* using(
        file,
        Effect.gen(function* () {
          const other = yield* otherClient(file)
          yield* other.unsafe("PRAGMA busy_timeout = 0")
          const intrusion = other.unsafe("INSERT INTO accounts (id, name, created_at) VALUES ('acct_9', '9', 9)")
          yield* transact(
            Effect.gen(function* () {
              assert.deepStrictEqual(yield* names, [])
              // Run on its own: within a transaction every client's statements go to that transaction's connection.
              const exit = yield* Effect.promise(() => Effect.runPromiseExit(intrusion))
              assert.match(defectOf(exit), /database is locked/)
              yield* account(1)
            }),
          )
          yield* intrusion
          assert.deepStrictEqual(yield* names, ["1", "9"])
        }).pipe(Effect.scoped),
      )
    }),
  )

  it.effect("is exclusive: other transactions and single statements wait", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        yield* account(0)
        const increment = Effect.gen(function* () {
          const value = Number(yield* valueOf("SELECT created_at FROM accounts"))
          yield* Effect.yieldNow()
          yield* rowsOf(`UPDATE accounts SET created_at = ${value + 1}`)
        })
        const failing = transact(
          Effect.gen(function* () {
            yield* rowsOf("UPDATE accounts SET created_at = created_at + 1000")
            yield* Effect.yieldNow()
            return yield* fail("not_found")
          }),
        ).pipe(Effect.flip)
        const single = rowsOf("UPDATE accounts SET created_at = created_at + 1")
        const fibers = yield* Effect.forEach(
          Array.from({ length: 50 }).flatMap(() => [transact(increment), failing, single]),
          (each: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) => Effect.fork(each),
        )
        yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(yield* valueOf("SELECT created_at FROM accounts"), 100)
      }),
    ),
  )
})

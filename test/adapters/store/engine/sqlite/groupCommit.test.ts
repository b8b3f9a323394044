import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as GroupCommit from "../../../../../adapters/store/engine/sqlite/groupCommit.ts"
import * as Step from "../../../../../core/Step.ts"
import { inMemory } from "../../../../support/ledger.ts"
import { count, spend, spender } from "../../../../support/spender.ts"
import { accountsOver, storeFile } from "../../../../support/store.ts"

describe("a group commit", () => {
  it.scoped("a step that throws fails alone; the rest of the batch commits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { db } = yield* Sqlite
      yield* sql`CREATE TABLE steps (n INTEGER PRIMARY KEY)`
      const insert = db.prepare("INSERT INTO steps VALUES (?)")
      const commits = yield* GroupCommit.make
      const exits = yield* Effect.all(
        Arr.makeBy(100, (n) =>
          Effect.exit(
            Step.suspend(() =>
              commits.submit(() => {
                insert.run(n)
                if (n % 10 === 3) throw new Error(`step ${n}`)
                // A constraint of the store throws as well.
                if (n % 10 === 7) insert.run(n)
                return n
              }),
            ),
          ),
        ),
        { concurrency: "unbounded" },
      )
      for (const [n, exit] of exits.entries()) {
        const bad = n % 10 === 3 || n % 10 === 7
        assert.strictEqual(Exit.isFailure(exit), bad, `${n}`)
        if (Exit.isFailure(exit)) assert.isTrue(Cause.isDie(exit.cause), "what can never work is a bug")
        else assert.strictEqual(exit.value, n)
      }
      assert.strictEqual(yield* count("steps"), 80)
      assert.isFalse(db.inTransaction)
    }).pipe(Effect.provide(accountsOver(":memory:"))),
  )

  it.scoped("posted steps are written too, and lost ones are reported", () =>
    Effect.gen(function* () {
      const { db } = yield* Sqlite
      db.exec("CREATE TABLE steps (n INTEGER PRIMARY KEY)")
      const insert = db.prepare("INSERT INTO steps VALUES (?)")
      const commits = yield* GroupCommit.make
      const lost: Array<number> = []
      for (const n of [1, 2, 2, 3])
        commits.post(
          () => void insert.run(n),
          () => void lost.push(n),
        )
      yield* Step.run(commits.submit(() => undefined))
      assert.strictEqual(yield* count("steps"), 3)
      yield* Effect.promise(() => new Promise(setImmediate))
      assert.deepStrictEqual(lost, [2])
    }).pipe(Effect.provide(accountsOver(":memory:"))),
  )

  it.effect("a single call waits for no timer: it commits while the clock stands still", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        for (let n = 0; n < 50; n++) assert.strictEqual((yield* spend(who, 1))._tag, "Accepted")
        assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      }),
    ),
  )

  it.scopedLive("a posted step waits while the disk is full, and is lost only if it is full at the end", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const lost: Array<number> = []
      const bytes = randomBytes(100_000)
      yield* Effect.gen(function* () {
        const { db } = yield* Sqlite
        db.exec("CREATE TABLE steps (n INTEGER PRIMARY KEY, bytes BLOB)")
        const insert = db.prepare("INSERT INTO steps VALUES (?, ?)")
        const commits = yield* GroupCommit.make
        const post = (n: number) =>
          commits.post(
            () => void insert.run(n, bytes),
            () => void lost.push(n),
          )
        const fill = () => db.pragma(`max_page_count = ${db.pragma("page_count", { simple: true })}`)
        /** Its batch has the posted steps too. */
        const pass = Effect.exit(Step.suspend(() => commits.submit(() => undefined)))
        fill()
        post(1)
        assert.isTrue(Exit.isFailure(yield* pass))
        assert.deepStrictEqual([yield* count("steps"), lost], [0, []])
        db.pragma("max_page_count = 1000000")
        assert.isTrue(Exit.isSuccess(yield* pass))
        assert.deepStrictEqual([yield* count("steps"), lost], [1, []])
        fill()
        post(2)
        assert.isTrue(Exit.isFailure(yield* pass))
        assert.deepStrictEqual(lost, [])
      }).pipe(Effect.scoped, Effect.provide(accountsOver(file)))
      yield* Effect.promise(() => new Promise(setImmediate))
      assert.deepStrictEqual(lost, [2])
    }),
  )
})

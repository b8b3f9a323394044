import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { make, sweepNames } from "../../../../../adapters/store/money/sqlite/replyLog.ts"
import { day } from "../../../../../core/time.ts"

type Db = Sqlite["Type"]["db"]
type ReplyLog = ReturnType<typeof make>

/** A test over a new store. */
const over = <A, E>(work: (db: Db) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(Sqlite, ({ db }) => work(db)).pipe(Effect.provide(sqlite.layer(":memory:")))

const reply = (key: string, at = 3 * day) => ({
  key_id: "key_1",
  idempotency_key: key,
  at,
  request_hash: `hash of ${key}`,
  stored: Buffer.from("abcd"),
})

/** Appends replies of charged calls as one batch. */
const putAll = (log: ReplyLog, ...keys: ReadonlyArray<string>) => {
  for (const key of keys) log.put(reply(key), true)
  log.takeIn()
}

const atOnce = (work: () => void): void => work()

/** Folds everything that is here. */
const foldAll = (log: ReplyLog): void => {
  for (const next = log.folding(atOnce); next(); );
}

const seqOf = (log: ReplyLog, key: string) => log.find("key_1", key)?.seq
const names = (db: Db) => db.prepare("SELECT seq FROM idempotency_names ORDER BY seq").pluck().all()

describe("the log of stored replies", () => {
  it.effect("replaces the reply that was looked for, whatever else was looked for before", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        putAll(log, "a", "b")
        seqOf(log, "b")
        log.put(reply("a"), true)
        seqOf(log, "b")
        log.put(reply("b"), true)
        log.takeIn()
        assert.deepStrictEqual(db.prepare("SELECT seq FROM idempotency ORDER BY seq").pluck().all(), [3, 4])
      }),
    ),
  )

  it.effect("has a row that is not folded for the next fold, whichever statement has failed", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        putAll(log, "a", "b")
        const all = { charged: 2 * 260, free: 0 }
        for (const table of ["idempotency_names", "reply_bytes"]) {
          db.exec(`CREATE TEMP TRIGGER cut BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'cut'); END`)
          assert.throws(() => foldAll(log), /cut/)
          assert.strictEqual(log.size(), 2)
          assert.deepStrictEqual(log.used("key_1", 3), all)
          db.exec("DROP TRIGGER cut")
        }
        foldAll(log)
        assert.strictEqual(log.size(), 0)
        assert.deepStrictEqual(log.used("key_1", 3), all)
        assert.deepStrictEqual(db.prepare("SELECT key_id, day, charged, free FROM reply_bytes").raw().all(), [
          ["key_1", 3, 520, 0],
        ])
      }),
    ),
  )
})

describe("the names of stored replies", () => {
  it.effect("are deleted where they are older than every row", () =>
    over((db) =>
      Effect.gen(function* () {
        const log = make(db)
        putAll(log, "a", "b", "c")
        foldAll(log)
        yield* sweepNames
        assert.deepStrictEqual(names(db), [1, 2, 3])
        db.exec("DELETE FROM idempotency WHERE seq = 1")
        yield* sweepNames
        assert.deepStrictEqual(names(db), [2, 3])
        db.exec("DELETE FROM idempotency")
        yield* sweepNames
        assert.deepStrictEqual(names(db), [])
        yield* sweepNames
      }),
    ),
  )
})

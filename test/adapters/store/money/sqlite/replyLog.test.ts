import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { make, nameAll, sweepNames } from "../../../../../adapters/store/money/sqlite/replyLog.ts"
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
  it.effect("finds a reply by both of its keys: in the running batch, after it, and after a fold", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        assert.isUndefined(log.find("key_1", "a"))
        log.put(reply("a"), true)
        const found = { seq: 1, ...reply("a") }
        const assertFound = () => {
          assert.deepStrictEqual(log.find("key_1", "a"), found)
          assert.isUndefined(log.find("key_1", "b"))
          assert.isUndefined(log.find("key_2", "a"))
        }
        assertFound()
        log.takeIn()
        assertFound()
        assert.isFalse(log.size() === 0)
        foldAll(log)
        assert.isTrue(log.size() === 0)
        assertFound()
        assert.deepStrictEqual(names(db), [1])
      }),
    ),
  )

  it.effect("has one reply under a key: a later one takes its place", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        putAll(log, "a", "b")
        log.put({ ...reply("a"), request_hash: "other" }, true)
        log.put({ ...reply("a"), stored: null }, true)
        log.takeIn()
        assert.deepStrictEqual(log.find("key_1", "a"), { seq: 4, ...reply("a"), stored: null })
        assert.deepStrictEqual(db.prepare("SELECT seq FROM idempotency ORDER BY seq").pluck().all(), [2, 4])
      }),
    ),
  )

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

  it.effect("does not count the bytes of a batch before it is committed, and never those of one that was undone", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        const nothing = { charged: 0, free: 0 }
        db.exec("BEGIN")
        log.put(reply("a"), true)
        assert.deepStrictEqual(log.used("key_1", 3), nothing)
        db.exec("ROLLBACK")
        log.undo()
        assert.isUndefined(log.find("key_1", "a"))
        log.takeIn()
        assert.deepStrictEqual(log.used("key_1", 3), nothing)
        log.put(reply("b"), true)
        log.put(reply("c"), false)
        log.put({ ...reply("d"), stored: null }, false)
        log.put(reply("e", 4 * day), true)
        log.takeIn()
        const used = { charged: 260, free: 260 + 256 }
        assert.deepStrictEqual(log.used("key_1", 3), used)
        assert.strictEqual(log.size(), 4)
        foldAll(log)
        assert.strictEqual(log.size(), 0)
        assert.deepStrictEqual(log.used("key_1", 3), used)
        assert.deepStrictEqual(log.used("key_1", 4), { charged: 260, free: 0 })
      }),
    ),
  )

  it.effect("folds in slices of a thousand names and of a thousand sums, and what came meanwhile later", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        db.exec("BEGIN")
        for (let n = 1; n <= 1_001; n++) log.put(reply(`${n}`), true)
        log.takeIn()
        const next = log.folding(atOnce)
        assert.isTrue(next())
        assert.strictEqual(names(db).length, 1_000)
        putAll(log, "late")
        assert.isTrue(next())
        assert.strictEqual(names(db).length, 1_001)
        assert.isTrue(next())
        assert.strictEqual(log.size(), 2)
        assert.isTrue(next())
        assert.strictEqual(log.size(), 1)
        assert.isFalse(next())
        assert.strictEqual(seqOf(log, "late"), 1_002)
        foldAll(log)
        assert.isTrue(log.size() === 0)
        assert.strictEqual(names(db).length, 1_002)
        assert.deepStrictEqual(log.used("key_1", 3), { charged: 1_002 * 260, free: 0 })
        db.exec("COMMIT")
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

  it.effect("is opened from where the folds are", () =>
    over((db) =>
      Effect.sync(() => {
        const log = make(db)
        putAll(log, "a", "b")
        foldAll(log)
        putAll(log, "c")
        const later = make(db)
        assert.strictEqual(later.size(), 1)
        assert.deepStrictEqual([seqOf(later, "a"), seqOf(later, "c")], [1, 3])
        assert.deepStrictEqual(later.used("key_1", 3), { charged: 3 * 260, free: 0 })
      }),
    ),
  )
})

describe("the names of stored replies", () => {
  it.effect("are made anew for a store that was filled otherwise", () =>
    over((db) =>
      Effect.sync(() => {
        const insert = db.prepare(
          "INSERT INTO idempotency (key_id, idempotency_key, at, request_hash, stored, charged) VALUES ('key_1', ?, 0, '', NULL, 0)",
        )
        for (let n = 1; n <= 1_001; n++) insert.run(`${n}`)
        nameAll(db)
        assert.strictEqual(names(db).length, 1_001)
        const log = make(db)
        assert.isTrue(log.size() === 0)
        assert.deepStrictEqual([seqOf(log, "1"), seqOf(log, "1001"), seqOf(log, "1002")], [1, 1_001, undefined])
      }),
    ),
  )

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

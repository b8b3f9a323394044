import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Table } from "../../../../../adapters/store/upkeep/copy/catalogue.ts"
import { type End, open } from "../../../../../adapters/store/upkeep/copy/End.ts"
import {
  attempt,
  columnsSql,
  continueNumbers,
  inserter,
  rowsSql,
  suspendTriggers,
} from "../../../../../adapters/store/upkeep/copy/put.ts"
import { storeFile } from "../../../../support/store.ts"

const words: Table = {
  name: "words",
  columns: [
    { name: "n", kind: "whole" },
    { name: "order", kind: "text" },
    { name: "bytes", kind: "bytes" },
  ],
  key: ["order", "n"],
}

/** The target of a copy, with the table. */
const target = Effect.gen(function* () {
  const end = yield* open("--to", { _tag: "Sqlite", file: yield* storeFile })
  end.db!.exec('CREATE TABLE words (n INTEGER, "order" TEXT, bytes BLOB)')
  return end
})

const stored = (end: End) => end.db!.prepare(rowsSql(words)).raw().all()

describe("the SQL of a table that is copied", () => {
  it("has its columns in quotes", () => {
    assert.strictEqual(columnsSql(words), '"n", "order", "bytes"')
  })

  it("reads its rows in the order of the key, nulls first", () => {
    assert.strictEqual(
      rowsSql(words),
      'SELECT "n", "order", "bytes" FROM "words" WHERE true ORDER BY "order" NULLS FIRST, "n" NULLS FIRST',
    )
  })

  it("leaves out rows that are no part of a copy", () => {
    const columns = [{ name: "name", kind: "text" }] as const
    assert.strictEqual(
      rowsSql({ name: "heartbeats", columns, key: ["name"] }),
      `SELECT "name" FROM "heartbeats" WHERE name <> 'backup' ORDER BY "name" NULLS FIRST`,
    )
  })
})

describe("rows of a copy", () => {
  it.scoped("are written as they are, and are read in the order of the key", () =>
    Effect.gen(function* () {
      const end = yield* target
      const put = inserter(end, words)
      yield* put([])
      yield* put([
        [2, "b", null],
        [1, "b", Uint8Array.of(0, 255)],
      ])
      yield* put([[3, null, null]])
      assert.deepStrictEqual(stored(end), [
        [3, null, null],
        [1, "b", Buffer.from([0, 255])],
        [2, "b", null],
      ])
    }),
  )

  it.scoped("that the store refuses are an error, not a defect", () =>
    Effect.gen(function* () {
      const end = yield* target
      end.db!.exec("CREATE UNIQUE INDEX once ON words (n)")
      const error = yield* Effect.flip(
        inserter(
          end,
          words,
        )([
          [1, "a", null],
          [1, "b", null],
        ]),
      )
      assert.strictEqual(error._tag, "SqlError")
      assert.strictEqual(error.message, "Failed to write")
      assert.match(String(error.cause), /UNIQUE constraint failed/)
    }),
  )

  it.effect("are written when the work is run, not before", () =>
    Effect.gen(function* () {
      let done = 0
      const work = attempt(() => void done++)
      assert.strictEqual(done, 0)
      yield* work
      assert.strictEqual(done, 1)
    }),
  )

  it.scoped("need no numbers to be continued on SQLite", () =>
    Effect.gen(function* () {
      const end = yield* target
      yield* continueNumbers(end, { name: "words", numbered: "n" })
      yield* continueNumbers(end, { name: "words" })
    }),
  )
})

describe("triggers of the target", () => {
  it.scoped("do nothing until they are put back as they were", () =>
    Effect.gen(function* () {
      const end = yield* target
      const db = end.db!
      db.exec(`
        CREATE TRIGGER words_once AFTER INSERT ON words BEGIN UPDATE words SET "order" = 'changed'; END;
        CREATE TRIGGER words_kept BEFORE DELETE ON words BEGIN SELECT RAISE(ABORT, 'kept'); END;`)
      const triggers = () => db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1").all()
      const before = triggers()
      assert.isAbove(before.length, 2)
      const resume = yield* suspendTriggers(end, [words])
      assert.deepStrictEqual(triggers(), [])
      yield* inserter(end, words)([[1, "a", null]])
      assert.deepStrictEqual(stored(end), [[1, "a", null]])
      yield* resume
      assert.deepStrictEqual(triggers(), before)
      yield* inserter(end, words)([[2, "b", null]])
      assert.deepStrictEqual(stored(end), [
        [1, "changed", null],
        [2, "changed", null],
      ])
    }),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeInserts, prepareLookUp, prepareMany } from "../../../../adapters/store/engine/manyRows.ts"
import { open } from "../../../../adapters/store/engine/sqlite/driver.ts"
import { type Queries, sqliteQueries } from "../../../../adapters/store/engine/Transactions.ts"
import * as Step from "../../../../core/Step.ts"

/** A table of words, and the texts that were prepared over it. The texts of both stores run on SQLite. */
const words = (dialect: Queries["dialect"]) => {
  const db = open(":memory:")
  db.exec("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL)")
  const prepared: Array<string> = []
  const prepare = sqliteQueries(db)
  const queries: Queries = {
    dialect,
    prepare: (text) => {
      prepared.push(text)
      return prepare(text)
    },
  }
  return { db, prepared, queries, add: makeInserts(queries, "words", ["id", "word"]) }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => [n, `word ${n}`] as const)

/** Rows of each statement. */
const sizes = (texts: ReadonlyArray<string>) => texts.map((text) => text.split("(?, ?)").length - 1)

describe("a statement over many rows", () => {
  it.effect("is made in slices of 32 and smaller powers of two on SQLite, each text once", () =>
    Effect.gen(function* () {
      const { db, add, prepared } = words("sqlite")
      assert.strictEqual(yield* Step.run(add.run(numbered(32 + 32 + 16 + 4 + 1))), 85)
      assert.deepStrictEqual(sizes(prepared), [32, 16, 4, 1])
      assert.strictEqual(prepared[2]!.trim(), "INSERT INTO words (id, word) VALUES (?, ?), (?, ?), (?, ?), (?, ?)")
      assert.deepStrictEqual(
        db.prepare("SELECT id, word FROM words ORDER BY id").raw().all(),
        numbered(85).map((row) => [...row]),
      )
      yield* Step.run(add.run(numbered(102).slice(85)))
      assert.deepStrictEqual(sizes(prepared), [32, 16, 4, 1])
    }),
  )

  it.effect("is one of up to 500 rows on PostgreSQL", () =>
    Effect.gen(function* () {
      const { add, prepared } = words("postgres")
      assert.strictEqual(yield* Step.run(add.run(numbered(500))), 500)
      assert.strictEqual(yield* Step.run(add.run(numbered(1_001).slice(500))), 501)
      assert.deepStrictEqual(sizes(prepared), [500, 500, 1])
    }),
  )

  it.effect("does nothing without rows", () =>
    Effect.gen(function* () {
      const { add, prepared } = words("sqlite")
      assert.strictEqual(yield* Step.run(add.run([])), 0)
      assert.deepStrictEqual(yield* Step.run(add.all([])), [])
      assert.deepStrictEqual(prepared, [])
    }),
  )

  it.effect("says how many rows it changed, where some were there", () =>
    Effect.gen(function* () {
      const { add, queries } = words("sqlite")
      yield* Step.run(add.run([[3, "three"]]))
      const more = makeInserts(queries, "words", ["id", "word"], "ON CONFLICT (id) DO NOTHING")
      assert.strictEqual(yield* Step.run(more.run(numbered(5))), 4)
    }),
  )

  it.effect("gives the rows of all its slices in order", () =>
    Effect.gen(function* () {
      const { queries } = words("sqlite")
      const echo = prepareMany<{ readonly column1: number }>(queries, (list) => `VALUES ${list("(?, ?)")}`)
      for (const count of [1, 2, 35]) {
        const rows = yield* Step.run(echo.all(numbered(count)))
        assert.deepStrictEqual(
          rows.map(({ column1 }) => column1),
          numbered(count).map(([id]) => id),
        )
      }
    }),
  )
})

describe.each(["sqlite", "postgres"] as const)("a look-up of rows by a key, as on %s", (dialect) => {
  it.effect("gives them in the order of the keys, repeated ones too, and nothing where there is none", () =>
    Effect.gen(function* () {
      const { add, queries } = words(dialect)
      yield* Step.run(add.run(numbered(3)))
      const find = prepareLookUp<{ readonly word: string }>(queries, { table: "words", key: "id", columns: "word" })
      assert.deepStrictEqual(yield* Step.run(find([])), [])
      const found = yield* Step.run(find([2, 9, 0, 2]))
      assert.deepStrictEqual(
        found.map((row) => row?.word),
        ["word 2", undefined, "word 0", "word 2"],
      )
    }),
  )

  it.effect("finds more than 500", () =>
    Effect.gen(function* () {
      const { add, queries, prepared } = words(dialect)
      yield* Step.run(add.run(numbered(501)))
      prepared.length = 0
      const find = prepareLookUp<{ readonly word: string }>(queries, { table: "words", key: "id", columns: "word" })
      const found = yield* Step.run(find(numbered(501).map(([id]) => id)))
      assert.deepStrictEqual(
        found.map((row) => row?.word),
        numbered(501).map(([, word]) => word),
      )
      assert.strictEqual(prepared.length, dialect === "sqlite" ? 1 : 2)
    }),
  )
})

import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { appendOnly, finite, finiteOrNull, refuse } from "../../../../adapters/store/migrations/appendOnly.ts"
import { defectOf, rowsOf, withOther } from "../../../support/sqlite.ts"

/** Whether a database takes a statement, and if not, in which words it is refused. */
const refusalOf = (statement: string) => Effect.map(Effect.exit(rowsOf(statement)), defectOf)

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE notes (at INTEGER, text TEXT)`
  yield* sql`INSERT INTO notes VALUES (1, 'one')`
})

describe("an append-only table", () => {
  it.effect("takes rows, and refuses that one is changed or deleted", () =>
    Effect.gen(function* () {
      yield* table
      yield* appendOnly("notes")
      assert.strictEqual(yield* refusalOf("INSERT INTO notes VALUES (2, 'two')"), "")
      for (const statement of ["UPDATE notes SET text = 'other'", "DELETE FROM notes WHERE at = 1"]) {
        assert.include(yield* refusalOf(statement), "notes is append-only")
      }
      assert.deepStrictEqual(yield* rowsOf("SELECT text FROM notes ORDER BY at"), [{ text: "one" }, { text: "two" }])
    }).pipe((work) => withOther(":memory:", work)),
  )
})

describe("a refusal", () => {
  it.effect("is of the rows of its condition alone, in its own words", () =>
    Effect.gen(function* () {
      yield* table
      const when = "NEW.at < OLD.at"
      yield* refuse({ name: "notes_forward", table: "notes", verb: "UPDATE", when, message: "a note's time goes on" })
      assert.strictEqual(yield* refusalOf("UPDATE notes SET at = 2"), "")
      assert.include(yield* refusalOf("UPDATE notes SET at = 1"), "a note's time goes on")
      assert.strictEqual(yield* refusalOf("DELETE FROM notes"), "")
    }).pipe((work) => withOther(":memory:", work)),
  )
})

describe("a column of finite numbers", () => {
  it.effect("takes no infinity, and nothing at all only where that is said", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE sums (${finite(sql, "a")}, ${finiteOrNull(sql, "b")})`
      assert.strictEqual(yield* refusalOf("INSERT INTO sums VALUES (-1e308, NULL)"), "")
      for (const row of ["(9e999, 0)", "(0, -9e999)", "(NULL, 0)"]) {
        assert.include(yield* refusalOf(`INSERT INTO sums VALUES ${row}`), "constraint failed", row)
      }
    }).pipe((work) => withOther(":memory:", work)),
  )
})

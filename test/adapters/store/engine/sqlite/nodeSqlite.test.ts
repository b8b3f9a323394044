import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type { Database, OpenOptions } from "../../../../../adapters/store/engine/sqlite/client.ts"
import { findNodeDriver } from "../../../../../adapters/store/engine/sqlite/nodeSqlite.ts"

const own = findNodeDriver()
const folder = mkdtempSync(join(tmpdir(), "market-signals-drivers-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The value of a piece of work, or the kind of its error: the primary result code where SQLite gives one. */
const outcome = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    const { code, name } = error as { readonly code?: string; readonly name: string }
    return code === undefined || !code.startsWith("SQLITE_") ? name : code.split("_").slice(0, 2).join("_")
  }
}

const insert = "INSERT INTO t (n, b) VALUES (?, ?)"
const table = "CREATE TABLE t (id INTEGER PRIMARY KEY, n REAL UNIQUE, b BLOB)"

const cases: Readonly<Record<string, (db: Database) => unknown>> = {
  "values of every type": (db) => db.prepare("SELECT 1 AS a, x'0102' AS b, 'x' AS c, NULL AS d, 1.5 AS e").get(),
  "numbers bound as they come": (db) =>
    db.prepare("SELECT typeof(?), typeof(?), ? || '', json_array(?)").raw().get(1, 1n, 5, 7),
  "rows as lists": (db) => db.prepare("SELECT 1, 2 UNION SELECT 3, 4").raw().all(),
  "one column": (db) => db.prepare("SELECT 5").pluck().get(),
  "rows one by one": (db) => [...db.prepare("SELECT 1 AS a UNION SELECT 2").iterate()],
  "no row": (db) => db.prepare("SELECT 1 WHERE 0").get(),
  "named parameters": (db) => db.prepare("SELECT @a AS a, :b AS b, '@c' AS c").get({ a: 1, b: "x", unused: 2 }),
  "a named parameter without a value": (db) => outcome(() => db.prepare("SELECT @a, @b").get({ a: 1 })),
  "too few values": (db) => outcome(() => db.prepare("SELECT ?, '?' -- ?").get()),
  "too many values": (db) => outcome(() => db.prepare("SELECT ?").get(1, 2)),
  "a boolean": (db) => outcome(() => db.prepare("SELECT ?").get(true)),
  "a date": (db) => outcome(() => db.prepare("SELECT ?").get(new Date(0))),
  "undefined is null": (db) => db.prepare("SELECT ? IS NULL").pluck().get(undefined),
  "bytes are a Buffer": (db) => Buffer.isBuffer(db.prepare("SELECT x'00'").pluck().get()),
  "bad SQL": (db) => outcome(() => db.exec("SELCT")),
  "text in double quotes": (db) => outcome(() => db.prepare('SELECT "absent"').get()),
  "a broken constraint": (db) => {
    db.exec(table)
    db.prepare(insert).run(1, Buffer.from([1]))
    return outcome(() => db.prepare(insert).run(1, null))
  },
  "what a write changes": (db) => {
    db.exec(table)
    return db.prepare(insert).run(1, null)
  },
  "which statements write, and which return rows": (db) => {
    db.exec(table)
    const texts = [
      "SELECT ?",
      insert.replace("?, ?", "?, 1"),
      "UPDATE t SET n = ? RETURNING n",
      "WITH x AS (SELECT ?) SELECT * FROM x",
    ]
    return texts.map((text) => db.prepare(text)).map(({ readonly, reader }) => [readonly, reader])
  },
  "an open transaction": (db) => {
    db.prepare("BEGIN IMMEDIATE").run()
    const open = db.inTransaction
    db.exec("ROLLBACK")
    return [open, db.inTransaction]
  },
  pragmas: (db) => [db.pragma("user_version", { simple: true }), db.pragma("foreign_keys"), db.pragma("busy_timeout")],
}

describe.runIf(own !== undefined)("Node's own SQLite, as better-sqlite3", async () => {
  const { default: Sqlite } = own === undefined ? { default: undefined } : await import("better-sqlite3")
  const both = [
    own!,
    (file: string | Uint8Array, options?: OpenOptions): Database =>
      new Sqlite!(typeof file === "string" ? file : Buffer.from(file), options),
  ]

  it.each(Object.entries(cases))("has the same: %s", (_, work) => {
    const [mine, theirs] = both.map((open) => {
      const db = open(":memory:")
      try {
        return work(db)
      } finally {
        db.close()
      }
    })
    assert.deepStrictEqual(mine, theirs)
  })

  it("opens what the other wrote", () => {
    // One after the other: two copies of SQLite in one process do not see each other's locks.
    for (const [n, [writer, reader]] of [both, [...both].reverse()].entries()) {
      const file = join(folder, `${n}.db`)
      const written = writer!(file)
      written.exec(`${table}; INSERT INTO t (n) VALUES (7)`)
      written.exec("PRAGMA journal_mode = WAL")
      written.close()
      const db = reader!(file)
      assert.strictEqual(db.prepare("SELECT n FROM t").pluck().get(), 7)
      db.close()
    }
  })

  it.each(both.map((open, n) => [["node:sqlite", "better-sqlite3"][n]!, open] as const))(
    "names the errors of a locked, a read-only, an absent and a damaged file: %s",
    (name, open) => {
      const file = join(folder, `${name.replace(":", "-")}?.db`)
      const holder = open(file)
      holder.exec(`${table}; BEGIN EXCLUSIVE; INSERT INTO t (n) VALUES (7)`)
      const other = open(file, { timeout: 0 })
      assert.strictEqual(
        outcome(() => other.exec("BEGIN IMMEDIATE")),
        "SQLITE_BUSY",
      )
      holder.exec("COMMIT")
      const reads = open(file, { readonly: true, fileMustExist: true })
      assert.strictEqual(
        outcome(() => reads.exec("DELETE FROM t")),
        "SQLITE_READONLY",
      )
      for (const db of [holder, other, reads]) db.close()
      for (const readonly of [true, false])
        assert.strictEqual(
          outcome(() => open(`${file}.absent`, { readonly, fileMustExist: true })),
          "SQLITE_CANTOPEN",
        )
      writeFileSync(`${file}.text`, "no database\n".repeat(100))
      const damaged = open(`${file}.text`)
      assert.strictEqual(
        outcome(() => damaged.prepare("SELECT * FROM sqlite_master").all()),
        "SQLITE_NOTADB",
      )
      damaged.close()
    },
  )
})

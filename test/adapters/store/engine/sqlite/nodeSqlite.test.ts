import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as packaged from "@photostructure/sqlite"
import type { Database, OpenOptions } from "../../../../../adapters/store/engine/sqlite/client.ts"
import { open as served } from "../../../../../adapters/store/engine/sqlite/driver.ts"
import {
  driverOf,
  type NodeSqlite,
  nodeDriver,
  type Open,
} from "../../../../../adapters/store/engine/sqlite/nodeSqlite.ts"

/** Version 13 ends Node 20 with a segmentation fault, and 12 aborts later ones. */
const peer = Number.parseInt(process.versions.node, 10) < 22 ? "better-sqlite3-node20" : "better-sqlite3"
const { default: Sqlite } = (await import(peer)) as typeof import("better-sqlite3") & {
  readonly default: typeof import("better-sqlite3")
}
const better: Open = (file: string | Uint8Array, options?: OpenOptions): Database =>
  new Sqlite(typeof file === "string" ? file : Buffer.from(file), options)

const own = nodeDriver()
const drivers: ReadonlyArray<readonly [name: string, open: Open]> = [
  ["better-sqlite3", better],
  ["the package", driverOf(packaged as unknown as NodeSqlite)],
  ...(own === undefined ? [] : [["node:sqlite", own] as const]),
]
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
  "numbers as their columns have them": (db) => {
    db.exec("CREATE TABLE numbers (i INTEGER, r REAL, n NUMERIC)")
    for (const n of [5, 2.5, 2 ** 40, -0, 1n]) db.prepare("INSERT INTO numbers VALUES (?, ?, ?)").run(n, n, n)
    return db.prepare("SELECT typeof(i), i, typeof(r), r, typeof(n), n, i % ? FROM numbers").raw().all(3)
  },
  "rows as lists": (db) => db.prepare("SELECT 1, 2 UNION SELECT 3, 4").raw().all(),
  "one column": (db) => db.prepare("SELECT 5").pluck().get(),
  "rows one by one": (db) => [...db.prepare("SELECT 1 AS a UNION SELECT 2").iterate()],
  "no row": (db) => db.prepare("SELECT 1 WHERE 0").get(),
  "named parameters": (db) => db.prepare("SELECT @a AS a, :b AS b, '@c' AS c").get({ a: 1, b: "x", unused: 2 }),
  "a named parameter without a value": (db) => outcome(() => db.prepare("SELECT @a, @b").get({ a: 1 })),
  "the code of an error in a list of rows": (db) => {
    db.exec(table)
    db.prepare(insert).run(1, null)
    const again = outcome(() => db.prepare(`${insert} RETURNING id`).all(1, null))
    db.pragma("max_page_count = 4")
    return [again, outcome(() => db.prepare(`${insert} RETURNING id`).all(2, Buffer.alloc(100_000)))]
  },
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

describe("a driver of SQLite, as better-sqlite3", () => {
  it("is there on this Node", () => {
    assert.strictEqual(served(":memory:").prepare("SELECT 5").pluck().get(), 5)
  })

  it.each(Object.entries(cases))("has the same: %s", (_, work) => {
    const [expected, ...others] = drivers.map(([, open]) => {
      const db = open(":memory:")
      try {
        return work(db)
      } finally {
        db.close()
      }
    })
    for (const other of others) assert.deepStrictEqual(other, expected)
  })

  it("opens what another wrote, as an image too", () => {
    // One after the other: two copies of SQLite in one process do not see each other's locks.
    for (const [w, [writer, write]] of drivers.entries()) {
      for (const [r, [reader, read]] of drivers.entries()) {
        const file = join(folder, `${w}-${r}.db`)
        const written = write(file)
        written.exec(`${table}; CREATE TABLE seen (n); CREATE INDEX by_n ON t (n); INSERT INTO t (n) VALUES (7)`)
        written.exec("CREATE TRIGGER t_insert AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (new.n); END")
        const image = written.serialize()
        written.exec("PRAGMA journal_mode = WAL")
        written.close()
        for (const from of [file, image]) {
          const db = read(from)
          db.exec("INSERT INTO t (n) VALUES (8)")
          const all = (sql: string) => db.prepare(sql).pluck().all()
          assert.deepStrictEqual(
            [all("SELECT n FROM t"), all("SELECT n FROM seen")],
            [[7, 8], [8]],
            `${writer} ${reader}`,
          )
          assert.deepStrictEqual(all("SELECT name FROM sqlite_master WHERE type = 'index' AND sql > ''"), ["by_n"])
          assert.lengthOf(db.prepare("PRAGMA database_list").all(), 1)
          db.close()
        }
      }
    }
  })

  it.each(drivers)("names the errors of a locked, a read-only, an absent and a damaged file: %s", (name, open) => {
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
  })
})

import { chmodSync, existsSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { open } from "../../../../adapters/store/engine/sqlite/driver.ts"
import * as store from "../../../../adapters/store/engine/sqlite/open.ts"
import { newest } from "../../../../adapters/store/schema/migrate.ts"
import { checkKeyFile, checkSqlite, finding, judgeSchema, note, ok } from "../../../../adapters/store/upkeep/checks.ts"
import { folder, storeFile } from "../../../support/store.ts"

/** What the checks of a store find, by name. */
const looked = (file: string, reserveBytes = 0) =>
  Effect.map(
    Effect.forEach(checkSqlite(file, reserveBytes), ({ name, look }) =>
      Effect.map(look, (found) => [name, found] as const),
    ),
    (all) => new Map(all),
  )

describe("the check of a store's schema", () => {
  it("asks to migrate an older one, and to start the newer program for a newer one", () => {
    assert.deepStrictEqual(judgeSchema(newest), ok(`${newest}`))
    assert.deepStrictEqual(
      judgeSchema(newest - 1),
      finding(`The schema is ${newest - 1}, this program's is ${newest}.`, "Run: market-signals store migrate"),
    )
    assert.deepStrictEqual(
      judgeSchema(newest + 1),
      finding(`The schema is ${newest + 1}, this program's is ${newest}.`, "Start the newer program."),
    )
  })
})

describe("the check of a key file", () => {
  it.scoped("takes note of one that is not there, and finds one that others can read", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "record.key")
      const { name, look } = checkKeyFile("record key", file)
      assert.strictEqual(name, "record key")
      assert.deepStrictEqual(
        yield* look,
        note(`${file} does not exist; the first start over a new store makes it, and other nodes need a copy.`),
      )
      assert.isFalse(existsSync(file))
      writeFileSync(file, "")
      const open = finding(`${file} can be read by others.`, `Run: chmod 600 ${file}`)
      for (const [mode, found] of [
        [0o600, ok(`${file} is its owner's alone.`)],
        [0o400, ok(`${file} is its owner's alone.`)],
        [0o640, open],
        [0o601, open],
      ] as const) {
        chmodSync(file, mode)
        assert.deepStrictEqual(yield* look, found, mode.toString(8))
      }
    }),
  )
})

describe("the checks of a SQLite store", () => {
  it.effect("are a note of a store in memory", () =>
    Effect.map(looked(":memory:"), (found) =>
      assert.deepStrictEqual([...found], [["file", note("The store is in memory.")]]),
    ),
  )

  it.scoped("are a note of a store that is not there, which they do not make", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const found = yield* looked(file)
      assert.deepStrictEqual([...found], [["file", note(`${file} does not exist; the first start makes it.`)]])
      assert.isFalse(existsSync(file))
    }),
  )

  it.scoped("find nothing of a store that the program has made", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* Effect.scoped(Layer.build(Layer.fresh(store.layer(file))))
      const found = yield* looked(file)
      assert.deepStrictEqual([...found.keys()], ["file", "pages", "journal mode", "schema", "disk"])
      assert.deepStrictEqual(found.get("file"), ok(`${file} is its owner's alone.`))
      assert.deepStrictEqual(found.get("journal mode"), ok("wal"))
      assert.deepStrictEqual(found.get("schema"), ok(`${newest}`))
      assert.strictEqual(found.get("disk")!.state, "ok")
      assert.match(found.get("disk")!.detail, /^\d+ MB free$/)
    }),
  )

  it.scoped("find a file that others can read, a journal that blocks readers, and a schema that is missing", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const db = open(file)
      db.exec("CREATE TABLE other (n INTEGER)")
      db.close()
      chmodSync(file, 0o644)
      const found = yield* looked(file)
      assert.deepStrictEqual(
        found.get("file"),
        finding(`Others can read ${file}.`, `Make it private: chmod 600 ${file}`),
      )
      assert.deepStrictEqual(
        found.get("journal mode"),
        finding(
          "The journal mode is delete; writers would block readers.",
          "Start the server, which sets WAL; a network drive cannot have it.",
        ),
      )
      assert.deepStrictEqual(found.get("schema"), judgeSchema(0))
    }),
  )

  it.scoped("read the last schema, and 0 where there is none", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const db = open(file)
      db.exec("CREATE TABLE store_schemas (version INTEGER)")
      assert.deepStrictEqual((yield* looked(file)).get("schema"), judgeSchema(0))
      db.exec("INSERT INTO store_schemas VALUES (3), (12), (5)")
      db.close()
      assert.deepStrictEqual((yield* looked(file)).get("schema"), judgeSchema(12))
    }),
  )

  it.scoped("find a disk with less room than the reserve", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const db = open(file)
      db.exec("CREATE TABLE other (n INTEGER)")
      db.close()
      const { blocks, bsize } = statfsSync(join(file, ".."))
      const found = (yield* looked(file, blocks * bsize + 1)).get("disk")!
      assert.match(
        found.detail,
        /^\d+ MB free, less than DISK_RESERVE_MB: free calls are only counted, and with none paid calls answer 503\.$/,
      )
      assert.deepStrictEqual(found, finding(found.detail, "Make room on the store's disk."))
    }),
  )
})

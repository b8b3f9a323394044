// Proof: takes five seconds or more.
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "../../../../adapters/store/engine/sqlite/driver.ts"
import { folds } from "../../../../adapters/store/money/folds.ts"
import { backup, type Files, restore } from "../../../../adapters/store/upkeep/backup.ts"
import { counts, filledIn, using } from "../../../support/archives.ts"
import { begin } from "../../../support/chaos/chaos.ts"
import { wallet } from "../../../support/chaos/charges.ts"
import * as processes from "../../../support/processes.ts"
import { folder } from "../../../support/store.ts"

const kills = Number(process.env["BACKUP_KILLS"] ?? 4)

const filesIn = (path: string, name: string): Files => ({
  store: join(path, `${name}.db`),
  keys: { "record-key": join(path, "record-key"), "secrets-key": join(path, "secrets-key") },
})

const messageOf = <A>(work: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(work), (error) => error.message)

/** A store with rows in every table, and its backup. */
const backedUp = Effect.gen(function* () {
  const path = yield* folder
  const place = yield* filledIn(path)
  const files = filesIn(path, "a")
  const copy = join(path, "backup")
  // What a backup left behind that was killed.
  mkdirSync(`${copy}.part`)
  writeFileSync(join(`${copy}.part`, "old"), "")
  const before = yield* using(place, counts)
  const manifest = yield* backup(files, copy)
  return { path, before, files, copy, manifest }
})

const changed = (file: string, change: (manifest: Readonly<Record<string, unknown>>) => unknown) => {
  const manifest = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, JSON.stringify(change(manifest)))
}

/** Changes the store of a backup, and its digest with it. */
const otherStore = (folder: string, statement: string) => {
  const file = join(folder, "store.db")
  const db = open(file)
  db.exec(statement)
  db.close()
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex")
  changed(join(folder, "manifest.json"), (found) => ({
    ...found,
    files: (found["files"] as ReadonlyArray<{ readonly name: string }>).map((each) =>
      each.name === "store.db" ? { ...each, sha256 } : each,
    ),
  }))
}

describe("a backup", () => {
  it.scopedLive("has every row, and is restored with its keys elsewhere", () =>
    Effect.gen(function* () {
      const { path, before, files, copy, manifest } = yield* backedUp
      assert.deepStrictEqual(readdirSync(copy).sort(), ["manifest.json", "record-key", "secrets-key", "store.db"])
      for (const name of readdirSync(copy)) assert.strictEqual(statSync(join(copy, name)).mode & 0o077, 0, name)
      assert.isAbove(manifest.leaves, 0)
      assert.isAbove(manifest.settled_rows, 0)
      const to = filesIn(join(path, "elsewhere"), "b")
      assert.deepStrictEqual(yield* restore(copy, to), manifest)
      for (const [name, file] of Object.entries(to.keys)) {
        assert.deepStrictEqual(readFileSync(file), readFileSync(files.keys[name]!), name)
      }
      assert.deepStrictEqual(yield* using({ _tag: "Sqlite", file: to.store }, counts), before)
      // A second time it would overwrite what has been sold since.
      assert.match(yield* messageOf(restore(copy, to)), /b\.db exists\. Move it away first; nothing was changed\.$/)
      assert.match(yield* messageOf(backup(files, copy)), /backup exists\. Name a new folder\.$/)
    }),
  )

  it.scopedLive("is sound while the wallet is charged", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const files = filesIn(path, "a")
      const who = yield* wallet(files.store)
      const child = yield* Effect.acquireRelease(
        Effect.promise(() => begin("charges", files.store, { who })),
        ({ process }) => Effect.sync(() => process.kill("SIGKILL")),
      )
      for (const name of ["one", "two", "three"]) {
        yield* Effect.promise(() => child.linesUntil(child.lines.length + 20))
        const before = child.lines.length - 1
        yield* backup(files, join(path, name))
        const to = filesIn(join(path, `${name}-restored`), "b")
        yield* restore(join(path, name), to)
        const [found] = yield* using(
          { _tag: "Sqlite", file: to.store },
          Effect.gen(function* () {
            // The backup has the charges as they were.
            yield* (yield* folds).all
            const sql = yield* SqlClient.SqlClient
            return yield* sql<{ charges: number }>`SELECT count(*) AS charges FROM postings WHERE kind = 'charge'`
          }),
        )
        assert.isAtLeast(found!.charges, before)
      }
    }),
  )

  it.scopedLive(
    `that is killed leaves no folder of its name, and one that is restored no store, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const { path, files, copy } = yield* backedUp
        let finished = 0
        for (let kill = 0; kill < kills; kill++) {
          const out = join(path, `killed-${kill}`)
          const environment = {
            DATABASE_URL: `sqlite:${files.store}`,
            RECORD_KEY_FILE: files.keys["record-key"]!,
            SECRETS_KEY_FILE: files.keys["secrets-key"]!,
          }
          const store = join(path, `restored-${kill}.db`)
          const elsewhere = { ...environment, DATABASE_URL: `sqlite:${store}` }
          const children = [
            processes.start("services/cli.ts", ["backup", "--out", out], environment),
            processes.start("services/cli.ts", ["restore", copy], elsewhere),
          ]
          yield* Effect.sleep(200 + Math.random() * 800)
          for (const { process } of children) process.kill("SIGKILL")
          yield* Effect.promise(() => Promise.all(children.map(({ ended }) => ended)))
          if (existsSync(out)) {
            finished++
            yield* restore(out, filesIn(join(path, `again-${kill}`), "b"))
          } else yield* backup(files, out)
          if (existsSync(store)) {
            finished++
            assert.deepStrictEqual(readFileSync(store), readFileSync(join(copy, "store.db")))
          } else yield* restore(copy, { ...files, store })
        }
        yield* Effect.logInfo(`${2 * kills} killed, ${finished} of them had ended before`)
      }),
    60_000 + kills * 15_000,
  )

  it.scopedLive("that is not the one that was made is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const { path, copy } = yield* backedUp
      const bad = join(path, "bad")
      const manifest = join(bad, "manifest.json")
      const cases: ReadonlyArray<readonly [string, () => void, RegExp]> = [
        ["another store", () => writeFileSync(join(bad, "store.db"), "x"), /store\.db is not the file that/],
        ["another key", () => writeFileSync(join(bad, "record-key"), "x"), /record-key is not the file that/],
        ["no manifest", () => writeFileSync(manifest, ""), /manifest\.json is no manifest/],
        ["another manifest", () => writeFileSync(manifest, "{}"), /manifest\.json is no manifest[\s\S]*files/],
        [
          "a newer schema",
          () => otherStore(bad, "INSERT INTO store_schemas VALUES (999, 0)"),
          /^The store was made by a newer version of this program: use that one\.$/,
        ],
        [
          "a time before there was a release",
          () => otherStore(bad, "ALTER TABLE store_schemas RENAME TO migrations"),
          /^The store was made before 0\.4\.0, which was never published, and cannot be used: start with a new one\.$/,
        ],
        [
          "a foreign file",
          () =>
            changed(manifest, (found) => ({
              ...found,
              files: [...(found["files"] as []), { name: "../../x", bytes: 1, sha256: "0" }],
            })),
          /names files that this program does not know/,
        ],
        ["no store", () => changed(manifest, (found) => ({ ...found, files: [] })), /names files that this program/],
      ]
      for (const [name, spoil, message] of cases) {
        cpSync(copy, bad, { recursive: true })
        spoil()
        const target = join(path, `target of ${name}`)
        assert.match(yield* messageOf(restore(bad, filesIn(target, "b"))), message, name)
        assert.isFalse(existsSync(join(target, "b.db")), name)
        assert.isFalse(existsSync(join(target, "record-key")), name)
      }
      const target = join(path, "target with a key")
      mkdirSync(target)
      writeFileSync(join(target, "record-key"), "another")
      assert.match(yield* messageOf(restore(copy, filesIn(target, "b"))), /record-key exists\. Move it away first/)
      assert.match(yield* messageOf(restore(join(path, "nowhere"), filesIn(target, "b"))), /^Read the backup in /)
      assert.match(yield* messageOf(backup(filesIn(path, "none"), join(path, "new"))), /There is no store at /)
      assert.isFalse(existsSync(join(path, "new")))
    }),
  )
})

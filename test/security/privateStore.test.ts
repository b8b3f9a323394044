import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { serverRole, takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import { newest } from "../../adapters/store/schema/migrate.ts"
import * as processes from "../support/processes.ts"
import { folder } from "../support/store.ts"

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

/** Under the umask that most systems have, whatever the one is under which these tests run. */
const shared = Effect.acquireRelease(
  Effect.sync(() => process.umask(0o022)),
  (before) => Effect.sync(() => process.umask(before)),
)

/** Opens a store and does something with it. */
const using = <A, E>(file: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(sqlite.layer(file)))

const readRefusal = (file: string) =>
  Effect.map(Effect.flip(using(file, Effect.void)), (error) =>
    error instanceof sqlite.StoreError ? ([error.reason, error.message] as const) : assert.fail(String(error)),
  )

describe("the store is for its owner alone", () => {
  it.scoped("new files are 0600 and a new folder 0700, also under a umask of 022", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "var", "market")
      yield* shared
      const file = join(path, "store.db")
      const modes = using(
        file,
        Effect.sync(() => Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]))),
      )
      assert.deepStrictEqual(
        yield* Effect.provide(modes, Layer.scopedDiscard(takeAlone(file, { role: serverRole, version: "1" }))),
        {
          "store.db": "600",
          "store.db-shm": "600",
          "store.db-wal": "600",
          "store.db.owner": "600",
          "store.db.server-lock": "600",
          "store.db.server-lock-journal": "600",
          "store.db.sock": "600",
        },
      )
      assert.deepStrictEqual([modeOf(path), modeOf(join(path, ".."))], ["700", "700"])
    }),
  )

  for (const [mode, name] of [
    [0o644, ""],
    [0o640, ""],
    [0o602, "-wal"],
    [0o644, ".server-lock"],
  ] as const) {
    it.scoped(`a store whose "${name}" is ${mode.toString(8)} is refused, with what mends it`, () =>
      Effect.gen(function* () {
        const file = join(yield* folder, "store.db")
        yield* using(file, Effect.void)
        if (name !== "") writeFileSync(file + name, "")
        chmodSync(file + name, mode)
        assert.deepStrictEqual(yield* readRefusal(file), [
          "readable",
          `Others can read ${file}${name}. Make it private: chmod 600 ${file}${name}`,
        ])
        chmodSync(file + name, 0o600)
        yield* using(file, Effect.void)
      }),
    )
  }

  it.scoped("a folder that is there may be shared; what stands in it is private all the same", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "shared")
      mkdirSync(path)
      chmodSync(path, 0o755)
      yield* shared
      yield* using(join(path, "store.db"), Effect.void)
      assert.deepStrictEqual([modeOf(path), modeOf(join(path, "store.db"))], ["755", "600"])
    }),
  )

  it.scoped(
    "the command line makes nothing that others can read, and refuses what they can",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const environment = { DATABASE_URL: `sqlite:${join(path, "new", "store.db")}` }
        const run = (...args: ReadonlyArray<string>) =>
          Effect.promise(async () => {
            const child = processes.start("services/cli.ts", args, environment)
            return { code: await child.ended, stderr: child.stderr() }
          })
        assert.strictEqual((yield* run("account", "create", "--name", "one")).code, 0)
        const exported = join(path, "record.ndjson")
        assert.strictEqual((yield* run("record", "export", "--out", exported)).code, 0)
        const made = readdirSync(join(path, "new")).map((name) => modeOf(join(path, "new", name)))
        assert.deepStrictEqual([...new Set(made), modeOf(exported), modeOf(join(path, "new"))], ["600", "600", "700"])
        chmodSync(join(path, "new", "store.db"), 0o644)
        const { code, stderr } = yield* run("account", "list")
        assert.strictEqual(code, 1)
        assert.match(stderr, /^Others can read .*store\.db\. Make it private: chmod 600 .*store\.db\n$/)
      }),
    120_000,
  )
})

describe("a store of another time", () => {
  const newer = (file: string) =>
    `${file} was written by a newer version of this program: its schema is ${newest + 1}, this one supports ${newest}. Start the newer version, or set another store in DATABASE_URL.`
  const older = (file: string) =>
    `${file} was made before 0.4.0, which was never published, and cannot be read. Move it away, with its -wal and -shm files, or set another store in DATABASE_URL; the next start creates a new one.`
  const cases: ReadonlyArray<readonly [string, sqlite.StoreError["reason"], string, (file: string) => string]> = [
    ["newer than the program", "newer", `INSERT INTO store_schemas VALUES (${newest + 1}, 0)`, newer],
    ["made before there was a release", "older", "ALTER TABLE store_schemas RENAME TO migrations", older],
  ]
  it.scoped.each(cases)(
    "is refused with a sentence and stays as it is: %s",
    ([, expected, statement, sentence]) =>
      Effect.gen(function* () {
        const file = join(yield* folder, "store.db")
        yield* using(
          file,
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)),
        )
        const before = readFileSync(file)
        const message = sentence(file)
        assert.deepStrictEqual(yield* readRefusal(file), [expected, message])
        for (const [program, ...args] of [["services/server.ts"], ["services/cli.ts", "mcp"]] as const) {
          const child = processes.start(program, args, { DATABASE_URL: `sqlite:${file}` })
          const code = yield* Effect.promise(() => child.ended)
          assert.strictEqual(code, 1)
          assert.include(child.stderr(), message)
        }
        assert.isFalse(existsSync(`${file}-wal`))
        assert.isTrue(readFileSync(file).equals(before))
      }),
    120_000,
  )
})

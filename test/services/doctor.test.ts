import { chmodSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import * as Effect from "effect/Effect"
import { commandLine } from "../support/commandLine.ts"
import { storeFile } from "../support/store.ts"

describe("doctor of a SQLite store", () => {
  it.scopedLive("finds nothing wrong with a store that the server made, and what is wrong with others", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const { cli, parsed } = commandLine(file)
      const run = (line: string, more: Readonly<Record<string, string>> = {}) => Effect.promise(() => cli(line, more))
      assert.strictEqual((yield* run("store migrate --json")).stdout, '{"schema":29}')
      const well = yield* Effect.promise(() => parsed("doctor"))
      assert.isTrue(well.well)
      assert.deepStrictEqual(
        well.checks.map(({ check, state }: Readonly<Record<string, string>>) => [check, state]),
        [
          ["file", "ok"],
          ["journal mode", "ok"],
          ["schema", "ok"],
          ["disk", "ok"],
          ["RECORD_KEY_FILE", "note"],
          ["SECRETS_KEY_FILE", "note"],
        ],
      )
      chmodSync(file, 0o644)
      const readable = yield* run("doctor")
      assert.deepStrictEqual([readable.code, readable.stderr], [1, "1 finding."])
      assert.include(readable.stdout, `Make it private: chmod 600 ${file}`)
      chmodSync(file, 0o600)
      const full = yield* run("doctor", { DISK_RESERVE_MB: "1000000000" })
      assert.strictEqual(full.code, 1)
      assert.match(full.stdout, /FINDING {2}disk: \d+ MB free, less than DISK_RESERVE_MB/)
      const db = new Database(file)
      db.pragma("journal_mode = DELETE")
      db.prepare("UPDATE migrations SET migration_id = 999").run()
      db.close()
      const other = yield* run("doctor")
      assert.match(other.stdout, /journal mode: The journal mode is delete/)
      assert.match(other.stdout, /schema: The schema is 999.*\n +Start the newer program\./)
      assert.strictEqual(other.stderr, "2 findings.")
      const none = yield* run("doctor", { DATABASE_URL: `sqlite:${file}.none` })
      assert.deepStrictEqual([none.code, none.stderr], [0, ""])
    }),
  )
})

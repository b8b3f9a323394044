import { closeSync, copyFileSync, openSync, writeSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import { commandLine } from "../../support/commandLine.ts"
import { storeFile } from "../../support/store.ts"

const pageSize = 4_096

/** A copy of a store with one page of garbage. */
const broken = (file: string, page: number): string => {
  const copy = `${file}.${page}`
  copyFileSync(file, copy)
  const handle = openSync(copy, "r+")
  writeSync(handle, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize)
  closeSync(handle)
  return copy
}

/** Tables with rows and without, what a start reads, indexes, and the schema itself. */
const names = "accounts sqlite_autoindex_accounts_1 webhooks_account heartbeats store_schemas sqlite_schema".split(" ")

describe("a store with a destroyed page", () => {
  it.scopedLive("is damaged to the check and to doctor, and no command shows a trace", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const { cli, parsed } = commandLine(file)
      const run = (line: string, DATABASE_URL = `sqlite:${file}`) => Effect.promise(() => cli(line, { DATABASE_URL }))
      yield* Effect.promise(() => parsed("account create --name acme"))
      assert.strictEqual((yield* run("store check")).code, 0)
      const db = open(file)
      db.pragma("wal_checkpoint(TRUNCATE)")
      const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck()
      const pages = names.map((name) => [name, Number(root.get(name) ?? 1)] as const)
      db.close()
      assert.strictEqual(new Set(pages.map(([, page]) => page)).size, names.length)
      for (const [name, page] of pages) {
        const url = `sqlite:${broken(file, page)}`
        const [check, doctor, list] = [
          yield* run("store check", url),
          yield* run("doctor", url),
          yield* run("keys list --account acme", url),
        ]
        assert.deepStrictEqual([check.code, doctor.code], [1, 1], name)
        assert.match(check.stderr, /the store is damaged: restore a backup\./i, name)
        assert.match(doctor.stdout, /FINDING {2}pages: The store is damaged: .*\n +Restore a backup\./, name)
        assert.notMatch(check.stderr + doctor.stderr + list.stderr, /\n +at /, name)
        if (list.code !== 0) assert.match(list.stderr, /the store is damaged: restore a backup\./i, name)
      }
    }),
  )

  it.scopedLive("or with a row that names one that is not there, is damaged to the check", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const { cli, parsed } = commandLine(file)
      yield* Effect.promise(() => parsed("account create --name acme"))
      const db = open(file)
      db.pragma("foreign_keys = OFF")
      db.prepare("INSERT INTO wallets (account_id, balance_micros) VALUES ('acct_nobody', 0)").run()
      db.close()
      const { stderr } = yield* Effect.promise(() => cli("store check"))
      assert.match(stderr, /a row of wallets names one of accounts that is not there/)
    }),
  )
})

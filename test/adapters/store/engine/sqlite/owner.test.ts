import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { serverRole, takeAlone } from "../../../../../adapters/store/engine/sqlite/owner.ts"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Keyring } from "../../../../../core/account/Keyring.ts"
import { Ledger } from "../../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import { charge as settle } from "../../../../support/settlement.ts"
import { dump, otherClient, rowsOf, using, valueOf, withOther } from "../../../../support/sqlite.ts"
import { accountsOver, folder, storeFile } from "../../../../support/store.ts"

describe("an opened store", () => {
  const pragmas = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 10, recursive_triggers: 1 }
  const inForce = Effect.map(
    Effect.forEach(Object.keys(pragmas), (name) => Effect.map(valueOf(`PRAGMA ${name}`), (value) => [name, value])),
    Object.fromEntries,
  )

  it.scoped("has durable and strict pragmas, new and reopened", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      assert.deepStrictEqual(yield* using(file, inForce), pragmas, "new")
      assert.deepStrictEqual(yield* using(file, inForce), pragmas, "reopened")
    }),
  )

  it.effect("has strict pragmas in memory too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* using(":memory:", inForce), { ...pragmas, journal_mode: "memory" })
    }),
  )

  const unusable: ReadonlyArray<
    readonly [name: string, make: (path: string) => string, reason: string, message: RegExp]
  > = [
    [
      "a folder that cannot be made",
      (path) => {
        writeFileSync(join(path, "file"), "")
        return join(path, "file", "below", "store.db")
      },
      "open",
      /^Cannot create the folder of \/.*\/store\.db: ENOTDIR/,
    ],
    [
      "a file that is not a database",
      (path) => {
        writeFileSync(join(path, "notes.txt"), "Not a database, whatever its name.\n".repeat(200), { mode: 0o600 })
        return join(path, "notes.txt")
      },
      "open",
      /^Cannot open \/.*\/notes\.txt: the store is damaged: restore a backup. file is not a database\.$/,
    ],
    [
      "a folder",
      (path) => {
        mkdirSync(join(path, "folder"))
        return join(path, "folder")
      },
      "open",
      /^Cannot open \/.*\/folder: unable to open database file\.$/,
    ],
  ]
  for (const [name, make, reason, message] of unusable) {
    it.scoped(`cannot be ${name}`, () =>
      Effect.gen(function* () {
        const file = make(yield* folder)
        const error = yield* Effect.flip(using(file, Effect.void))
        assert.instanceOf(error, sqlite.StoreError)
        assert.strictEqual(error.reason, reason)
        assert.match(error.message, message)
        assert.isDefined(error.cause)
      }),
    )
  }

  it.scoped("leaves another program's database unchanged", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const before = yield* withOther(
        file,
        Effect.gen(function* () {
          yield* rowsOf("CREATE TABLE journal (colour TEXT)")
          yield* rowsOf("INSERT INTO journal VALUES ('green')")
          return yield* dump
        }),
      )
      chmodSync(file, 0o600)
      const error = yield* Effect.flip(using(file, Effect.void))
      assert.instanceOf(error, sqlite.StoreError)
      assert.strictEqual(error.reason, "migrate")
      assert.match(error.message, /^Cannot migrate \/.*\/store\.db: table journal already exists\.$/)
      assert.deepStrictEqual(yield* withOther(file, dump), before)
    }),
  )
})

describe("a store that another program has locked", () => {
  it.scoped("is readable, fails writes with storage_unavailable, and recovers when unlocked", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* Effect.gen(function* () {
        const accounts = yield* Accounts
        const ledger = yield* Ledger
        const keyring = yield* Keyring
        const secrets = yield* PlatformCrypto
        const { id } = yield* accounts.create("one")
        yield* accounts.credit(id, MicroUsd(10))
        const { key, plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "indie" })
        const hash = yield* secrets.sha256(Redacted.value(plaintext))
        const before = yield* dump
        const charge = Effect.provideService(
          settle({ accountId: id, keyId: key.id, requestId: "req_1", micros: 1, at: 1 }),
          Ledger,
          ledger,
        )
        const writes = {
          charge,
          credit: accounts.credit(id, MicroUsd(1)),
          create: accounts.create("two"),
          issueKey: accounts.issueKey({ account: id, environment: "test", tier: "pro" }),
          revokeKey: accounts.revokeKey(key.id),
        }

        const other = yield* otherClient(file)
        yield* other.unsafe("BEGIN IMMEDIATE")
        for (const [name, write] of Object.entries<Effect.Effect<unknown, Failure>>(writes)) {
          const failure = yield* Effect.flip(write)
          assert.strictEqual(failure.code, "storage_unavailable", name)
          assert.strictEqual(failure.status, 503, name)
          assert.strictEqual(failure.retryAfterMs, 1_000, name)
        }
        assert.strictEqual(yield* ledger.balance(id), 10)
        assert.strictEqual((yield* keyring.find(hash))?.keyId, key.id)
        assert.deepStrictEqual(yield* dump, before)

        yield* other.unsafe("ROLLBACK")
        for (const write of Object.values<Effect.Effect<unknown, Failure>>(writes)) yield* write
        assert.strictEqual(yield* ledger.balance(id), 10)
        assert.strictEqual((yield* accounts.journal(id, 10)).length, 3)
      }).pipe(Effect.scoped, Effect.provide(accountsOver(file)))
    }),
  )
})

const lock = (file: string) => Layer.scopedDiscard(takeAlone(file, { role: serverRole, version: "1" }))

describe("the lock of a store's owner", () => {
  it.scoped("has one holder for each store, until its scope closes", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [one, two] = [join(path, "one.db"), join(path, "below", "two.db")]
      const free = (file: string) => Effect.provide(Effect.void, lock(file))
      yield* Effect.provide(
        Effect.gen(function* () {
          const refused = yield* Effect.flip(free(one))
          assert.instanceOf(refused, sqlite.StoreError)
          assert.strictEqual(refused.reason, "in-use")
          assert.strictEqual(
            refused.message,
            `Another server is running on ${one}. Stop it, or give this one its own DATABASE_URL.`,
          )
          yield* free(two)
        }),
        lock(one),
      )
      yield* free(one)
    }),
  )

  it.effect("is not needed in memory", () =>
    Effect.provide(Effect.provide(Effect.void, lock(":memory:")), lock(":memory:")),
  )

  it.scoped("reports another reason for failing", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      writeFileSync(`${file}.server-lock`, "Not a lock.\n".repeat(200), { mode: 0o600 })
      const error = yield* Effect.flip(Effect.provide(Effect.void, lock(file)))
      assert.strictEqual(error.reason, "open")
      assert.match(
        error.message,
        /^Cannot lock \/.*\/store\.db: the store is damaged: restore a backup. file is not a database\.$/,
      )
    }),
  )
})

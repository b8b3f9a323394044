import { existsSync, readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { type Environment, environments } from "../../../../core/account/ApiKey.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import type { Tier } from "../../../../core/account/Tier.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { callerOf, charge, inMemory, ledgers, suggestionsOf } from "../../../support/accounts.ts"
import { aSecond } from "../../../support/clock.ts"
import { isPostgres } from "../../../support/postgres.ts"
import { accountsOver, storeFile } from "../../../support/store.ts"

describe("accounts", () => {
  it.effect("are found by id and by name, and listed in order of creation", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        assert.deepStrictEqual(yield* accounts.list({ limit: 10 }), [])
        yield* TestClock.setTime(1_783_000_000_000)
        const one = yield* accounts.create("zoë 1.0_a-b")
        yield* TestClock.adjust("1 second")
        const two = yield* accounts.create("Another")
        assert.match(one.id, /^acct_[0-9A-HJKMNP-TV-Z]{26}$/)
        assert.strictEqual(one.createdAt, 1_783_000_000_000)
        for (const account of [one, two]) {
          assert.deepStrictEqual(yield* accounts.get(account.id), account)
          assert.deepStrictEqual(yield* accounts.get(account.name), account)
          assert.deepStrictEqual(yield* accounts.balance(account.name), { account, balance: MicroUsd(0) })
        }
        assert.deepStrictEqual(yield* accounts.list({ limit: 10 }), [two, one])
      }),
    ),
  )

  it.effect("are suspended since the first time, with all their keys, and resumed", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id, ...one } = yield* accounts.create("one")
        yield* accounts.create("two")
        const issued = yield* Effect.forEach(environments, (environment) =>
          accounts.issueKey({ account: id, environment, tier: "pro" }),
        )
        const other = yield* accounts.issueKey({ account: "two", environment: "live" })
        for (const [turn, at, suspendedAt] of [
          ["resume", 10_000, undefined],
          ["suspend", 20_000, 20_000],
          ["suspend", 30_000, 20_000],
          ["resume", 40_000, undefined],
          ["suspend", 50_000, 50_000],
        ] as const) {
          yield* TestClock.setTime(at)
          const turned = yield* accounts[turn]("one")
          assert.deepStrictEqual(turned, { id, ...one, ...(suspendedAt === undefined ? {} : { suspendedAt }) })
          assert.deepStrictEqual(
            (yield* accounts.list({ limit: 10 })).find((each) => each.id === id),
            turned,
          )
          for (const key of issued) {
            assert.strictEqual((yield* callerOf(key))?.suspended, suspendedAt === undefined ? undefined : true)
          }
          assert.isUndefined((yield* callerOf(other))?.suspended)
        }
        assert.isUndefined((yield* accounts.get("two")).suspendedAt)
      }),
    ),
  )

  it.effect("cannot take an existing name", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const one = yield* accounts.create("one")
        const failure = yield* Effect.flip(accounts.create("one"))
        assert.strictEqual(failure.code, "invalid_parameter")
        assert.strictEqual(suggestionsOf(failure), "The name one is taken.")
        assert.deepStrictEqual(yield* accounts.list({ limit: 10 }), [one])
        assert.notStrictEqual((yield* accounts.create("ONE")).id, one.id)
      }),
    ),
  )

  const badNames = [
    "",
    " ",
    " one",
    "-one",
    "o/ne",
    "one\n",
    "a".repeat(65),
    "acct_1",
    "😀",
    "one'; DROP TABLE accounts",
  ]
  for (const name of badNames) {
    it.effect(`cannot be named ${JSON.stringify(name)}`, () =>
      inMemory(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          assert.strictEqual((yield* Effect.flip(accounts.create(name))).code, "invalid_parameter")
          assert.deepStrictEqual(yield* accounts.list({ limit: 10 }), [])
        }),
      ),
    )
  }

  it.effect("every operation on an unknown account is not_found", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.create("one")
        const asked: Readonly<Record<string, Effect.Effect<unknown, Failure>>> = {
          get: accounts.get("two"),
          balance: accounts.balance("two"),
          credit: accounts.credit("two", MicroUsd(1)),
          issueKey: accounts.issueKey({ account: "two", environment: "live", tier: "pro" }),
          keys: accounts.keys("two", { limit: 10 }),
          journal: accounts.journal("two", 1),
          // A percent sign is a character like any other.
          wildcard: accounts.get("on%"),
        }
        for (const [name, effect] of Object.entries(asked)) {
          assert.strictEqual((yield* Effect.flip(effect)).code, "not_found", name)
        }
        assert.deepStrictEqual(yield* ledgers, {})
      }),
    ),
  )
})

describe("keys", () => {
  const issued: ReadonlyArray<readonly [Environment, Tier, number | undefined, number | undefined]> = [
    ["test", "indie", undefined, 60],
    ["live", "studio", undefined, 600],
    ["live", "pro", undefined, 6_000],
    ["live", "enterprise", 12_345, 12_345],
    ["live", "enterprise", undefined, undefined],
    ["live", "enterprise", 0, undefined],
    ["live", "enterprise", -1, undefined],
    ["live", "enterprise", 1.5, undefined],
    ["live", "pro", 6_000, undefined],
  ]
  for (const [environment, tier, rpm, perMinute] of issued) {
    it.effect(`${environment} ${tier} with rpm ${rpm}: ${perMinute ?? "refused"}`, () =>
      inMemory(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const keyring = yield* Keyring
          const secrets = yield* PlatformCrypto
          const { id } = yield* accounts.create("one")
          const issue = accounts.issueKey({ account: "one", environment, tier, ...(rpm === undefined ? {} : { rpm }) })
          if (perMinute === undefined) {
            assert.strictEqual((yield* Effect.flip(issue)).hints?.[0]?.field, "rpm")
            assert.deepStrictEqual(yield* accounts.keys(id, { limit: 10 }), [])
            return
          }
          const { key, plaintext } = yield* issue
          const token = Redacted.value(plaintext)
          assert.isTrue(token.startsWith(`svk_${environment}_`))
          assert.deepStrictEqual(yield* accounts.keys(id, { limit: 10 }), [key])
          assert.strictEqual(key.lastFour, token.slice(-4))
          assert.deepStrictEqual(yield* keyring.find(yield* secrets.sha256(token)), {
            accountId: id,
            keyId: key.id,
            livemode: environment === "live",
            perMinute,
          })
        }),
      ),
    )
  }

  it.effect("take a name, which another key may have and rotation keeps", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.create("one")
        const request = { account: "one", environment: "live", tier: "pro" } as const
        const unnamed = yield* accounts.issueKey(request)
        assert.notProperty(unnamed.key, "name")
        const first = yield* accounts.issueKey({ ...request, name: "zoë-s laptop" })
        const second = yield* accounts.issueKey({ ...request, name: "zoë-s laptop" })
        const { key: rotated } = yield* accounts.rotateKey(first.key.id)
        const named = (yield* accounts.keys("one", { limit: 10 })).flatMap(({ id, name }) =>
          name === undefined ? [] : [[id, name]],
        )
        assert.sameDeepMembers(
          named,
          [first.key.id, second.key.id, rotated.id].map((id) => [id, "zoë-s laptop"]),
        )
      }),
    ),
  )

  for (const name of ["a", "7", "é", "a b._-c", "a".repeat(64), "keys"]) {
    it.effect(`can be named ${JSON.stringify(name)}`, () =>
      inMemory(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          yield* accounts.create(name)
          const { key } = yield* accounts.issueKey({ account: name, environment: "live", tier: "pro", name })
          assert.strictEqual(key.name, name)
        }),
      ),
    )
  }

  for (const name of ["", " a", "-a", "a/b", "a\n", "a".repeat(65), "key_1", "svk_live_0", "<b>"]) {
    it.effect(`cannot be named ${JSON.stringify(name)}`, () =>
      inMemory(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          yield* accounts.create("one")
          const refused = accounts.issueKey({ account: "one", environment: "live", tier: "pro", name })
          assert.strictEqual((yield* Effect.flip(refused)).hints?.[0]?.field, "name")
          assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), [])
        }),
      ),
    )
  }

  it.effect("are not found when revoked or never issued", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const keyring = yield* Keyring
        const secrets = yield* PlatformCrypto
        yield* accounts.create("one")
        const [first, second] = yield* Effect.all([
          accounts.issueKey({ account: "one", environment: "live", tier: "pro" }),
          accounts.issueKey({ account: "one", environment: "live", tier: "pro" }),
        ])
        const hash = yield* secrets.sha256(Redacted.value(first.plaintext))
        assert.isDefined(yield* keyring.find(hash))
        assert.isUndefined(yield* keyring.find(hash.toUpperCase()))
        assert.isUndefined(yield* keyring.find(Redacted.value(first.plaintext)))
        const unknown = yield* secrets.sha256("svk_live_unknown")
        assert.isUndefined(yield* keyring.find(unknown))
        // One that is new is found at once, though it was asked for before.
        yield* (yield* SqlClient.SqlClient)`UPDATE api_keys SET hash = ${unknown} WHERE id = ${second.key.id}`
        assert.strictEqual((yield* keyring.find(unknown))?.keyId, second.key.id)

        yield* TestClock.setTime(7_000)
        yield* accounts.revokeKey(first.key.id)
        // Within a second: by the caller's clock, on PostgreSQL in real time.
        yield* TestClock.adjust("1 second")
        if (isPostgres) yield* Effect.promise(aSecond)
        assert.isUndefined(yield* keyring.find(hash))
        assert.isDefined(yield* keyring.find(unknown))
        const listed = yield* accounts.keys("one", { limit: 10 })
        assert.deepStrictEqual(new Map(listed.map(({ id, revokedAt }) => [id, revokedAt])).get(first.key.id), 7_000)
        for (const id of [first.key.id, "key_0", Redacted.value(second.plaintext)]) {
          assert.strictEqual((yield* Effect.flip(accounts.revokeKey(id))).code, "not_found")
        }
        assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), listed)
      }),
    ),
  )

  it.scoped("are stored only as hash and last four characters", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const bytes = () =>
        Buffer.concat([file, `${file}-wal`, `${file}-shm`].filter(existsSync).map((part) => readFileSync(part)))
      const { hashes, tokens } = yield* Effect.gen(function* () {
        const accounts = yield* Accounts
        const secrets = yield* PlatformCrypto
        const { id } = yield* accounts.create("one")
        yield* accounts.credit(id, MicroUsd(1_000_000))
        const issued = yield* Effect.forEach(
          Arr.makeBy(10, (index) => environments[index % 2]!),
          (environment) => accounts.issueKey({ account: id, environment, tier: "pro" }),
        )
        yield* Effect.forEach(issued, ({ key }, index) => charge({ id, keyId: key.id }, `req_${index}`, 1))
        yield* accounts.revokeKey(issued[0]!.key.id)
        const tokens = issued.map(({ plaintext }) => Redacted.value(plaintext))
        const hashes = yield* Effect.forEach(tokens, secrets.sha256)
        const shown = JSON.stringify([yield* accounts.keys(id, { limit: 10 }), issued, String(issued[0]!.plaintext)])
        for (const secret of [...hashes, ...tokens]) assert.notInclude(shown, secret)
        // The newest pages are in the log as long as the store is open.
        assert.isTrue(existsSync(`${file}-wal`))
        for (const hash of hashes) assert.isTrue(bytes().includes(hash))
        for (const token of tokens) assert.isFalse(bytes().includes(token.slice(9, -6)))
        return { hashes, tokens }
      }).pipe(Effect.provide(accountsOver(file)))
      for (const hash of hashes) assert.isTrue(bytes().includes(hash))
      for (const token of tokens) assert.isFalse(bytes().includes(token.slice(9, -6)))
    }),
  )
})

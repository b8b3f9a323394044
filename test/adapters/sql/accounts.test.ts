import { existsSync, readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../core/account/Accounts.ts"
import { type Environment, environments } from "../../../core/account/ApiKey.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Tier } from "../../../core/account/Tier.ts"
import type { Failure } from "../../../core/Failure.ts"
import { charge as settle } from "../../support/settlement.ts"
import { accountsOver, storeFile } from "../../support/store.ts"

/** A test over a store in memory. */
const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Accounts | Keyring | PlatformCrypto | SqlClient.SqlClient | Ledger>,
) => Effect.provide(effect, accountsOver(":memory:"))

/** An account with money and a live key, as most tests need it. */
const funded = (name: string, micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create(name)
    if (micros > 0) yield* accounts.credit(id, MicroUsd(micros))
    const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
    return { id, keyId: key.id }
  })

const charge = ({ id, keyId }: { readonly id: string; readonly keyId: string }, requestId: string, micros: number) =>
  settle({ accountId: id, keyId, requestId, micros, at: 1_000 })

const balanceOf = (account: string) => Effect.flatMap(Ledger, (ledger) => ledger.balance(account))

/** The balance of each ledger: credits less debits. */
const ledgers = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ ledger: string; micros: number }>`
      SELECT ledger, SUM(micros) AS micros FROM (
        SELECT credit AS ledger, micros FROM journal UNION ALL SELECT debit AS ledger, -micros AS micros FROM journal
      ) GROUP BY ledger`,
    (rows): Readonly<Record<string, number>> => Object.fromEntries(rows.map(({ ledger, micros }) => [ledger, micros])),
  ),
)

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const charges = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM journal WHERE kind = 'charge'`, ([row]) => row!.n),
)

const suggestionsOf = (failure: Failure): string => (failure.hints ?? []).map(({ suggestion }) => suggestion).join()

describe("accounts", () => {
  it.effect("are found by id and by name, and listed in the order they were made", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        assert.deepStrictEqual(yield* accounts.list, [])
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
        assert.deepStrictEqual(yield* accounts.list, [one, two])
      }),
    ),
  )

  it.effect("whose name is taken are refused", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const one = yield* accounts.create("one")
        const failure = yield* Effect.flip(accounts.create("one"))
        assert.strictEqual(failure.code, "invalid_parameter")
        assert.strictEqual(suggestionsOf(failure), "The name one is taken.")
        assert.deepStrictEqual(yield* accounts.list, [one])
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
          assert.deepStrictEqual(yield* accounts.list, [])
        }),
      ),
    )
  }

  it.effect("that do not exist are not found, whatever is asked of them", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.create("one")
        const asked: Readonly<Record<string, Effect.Effect<unknown, Failure>>> = {
          get: accounts.get("two"),
          balance: accounts.balance("two"),
          credit: accounts.credit("two", MicroUsd(1)),
          issueKey: accounts.issueKey({ account: "two", environment: "live", tier: "pro" }),
          keys: accounts.keys("two"),
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

describe("a wallet", () => {
  it.effect("keeps every posting, newest first, and its balance is their sum", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const owner = yield* funded("one", 0)
        yield* TestClock.setTime(500)
        const { balance } = yield* accounts.credit("one", MicroUsd(5_000))
        assert.strictEqual(balance, 5_000)
        assert.isTrue(yield* charge(owner, "req_1", 1_500))
        assert.isTrue(yield* charge(owner, "req_2", 3_500))
        assert.isFalse(yield* charge(owner, "req_3", 1))
        const postings = yield* accounts.journal("one", 10)
        assert.deepStrictEqual(
          postings.map(({ at, micros, kind, endpoint }) => [at, micros, kind, endpoint]),
          [
            [1_000, -3_500, "charge", "weather_settlement"],
            [1_000, -1_500, "charge", "weather_settlement"],
            [500, 5_000, "credit", undefined],
          ],
        )
        assert.deepStrictEqual(
          postings.slice(0, 2).map(({ id }) => id),
          ["req_2", "req_1"],
        )
        assert.match(postings[2]!.id, /^txn_[0-9A-HJKMNP-TV-Z]{26}$/)
        assert.deepStrictEqual(yield* accounts.journal(owner.id, 2), postings.slice(0, 2))
        assert.strictEqual(yield* balanceOf(owner.id), 0)
        assert.deepStrictEqual(yield* ledgers, { cash: -5_000, revenue: 5_000, [`wallet:${owner.id}`]: 0 })
      }),
    ),
  )

  it.effect("takes only amounts above zero, up to what a safe integer holds", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* funded("one", 0)
        for (const micros of [0, -1, -5_000_000]) {
          const failure = yield* Effect.flip(accounts.credit(id, MicroUsd(micros)))
          assert.strictEqual(suggestionsOf(failure), "micros must be above 0.")
        }
        assert.strictEqual((yield* accounts.credit(id, MicroUsd(Number.MAX_SAFE_INTEGER - 1))).balance, 2 ** 53 - 2)
        assert.strictEqual((yield* Effect.flip(accounts.credit(id, MicroUsd(2)))).code, "invalid_parameter")
        assert.strictEqual((yield* accounts.credit(id, MicroUsd(1))).balance, 2 ** 53 - 1)
        assert.strictEqual((yield* Effect.flip(accounts.credit(id, MicroUsd(1)))).code, "invalid_parameter")
        assert.strictEqual(yield* balanceOf(id), Number.MAX_SAFE_INTEGER)
        assert.strictEqual(sum((yield* accounts.journal(id, 10)).map(({ micros }) => micros)), Number.MAX_SAFE_INTEGER)
      }),
    ),
  )

  it.effect("is never charged twice for one request", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const one = yield* funded("one", 1_000)
        assert.isTrue(yield* charge(one, "req_1", 100))
        const before = yield* accounts.journal(one.id, 10)
        for (const micros of [100, 7]) {
          const exit = yield* Effect.exit(charge(one, "req_1", micros))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "a second charge is a bug of the caller")
        }
        assert.deepStrictEqual(yield* accounts.journal(one.id, 10), before)
        assert.strictEqual(yield* balanceOf(one.id), 900)
        assert.isTrue(yield* charge(one, "req_2", 100))
      }),
    ),
  )

  it.effect("of nobody is empty and pays nothing", () =>
    inMemory(
      Effect.gen(function* () {
        assert.strictEqual(yield* balanceOf("acct_0"), 0)
        assert.isFalse(yield* charge({ id: "acct_0", keyId: "key_0" }, "req_1", 1))
        assert.strictEqual(yield* charges, 0)
      }),
    ),
  )

  const races: ReadonlyArray<readonly [callers: number, affordable: number, price: number, change: number]> = [
    [1_000, 500, 1_000, 0],
    [1_000, 500, 1_000, 999],
    [1_000, 1, 10_000, 0],
    [1_000, 0, 1, 0],
  ]
  for (const [callers, affordable, price, change] of races) {
    it.scoped(
      `for ${affordable} × ${price} and ${change} pays ${affordable} of ${callers} callers at once`,
      () =>
        Effect.gen(function* () {
          const file = yield* storeFile
          yield* Effect.gen(function* () {
            const owner = yield* funded("one", affordable * price + change)
            const paid = yield* Effect.forEach(
              Arr.range(1, callers),
              (caller) => charge(owner, `req_${caller}`, price),
              { concurrency: "unbounded" },
            )
            assert.strictEqual(paid.filter((each) => each).length, affordable)
            assert.strictEqual(yield* charges, affordable)
            assert.strictEqual(yield* balanceOf(owner.id), change)
            assert.strictEqual((yield* ledgers)["revenue"] ?? 0, affordable * price)
          }).pipe(Effect.provide(accountsOver(file)))
        }),
      20_000,
    )
  }
})

type Operation =
  | { readonly _tag: "Credit" | "Charge"; readonly account: 0 | 1 | 2; readonly micros: number }
  /** The last request that was paid, sent to be charged once more. */
  | { readonly _tag: "Repeat"; readonly account: 0 | 1 | 2 }

const account = fc.constantFrom(0 as const, 1 as const, 2 as const)
const micros = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2 ** 40 }))
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Credit" as const), account, micros }) },
  { weight: 6, arbitrary: fc.record({ _tag: fc.constant("Charge" as const), account, micros }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Repeat" as const), account }) },
)

/** Does the operations in the store and on three numbers, and compares. */
const agreesWithModel = (operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const owners = yield* Effect.forEach(["one", "two", "three"], (name) => funded(name, 0))
    const expected = [0, 0, 0]
    let credited = 0
    const last: Array<string | undefined> = [undefined, undefined, undefined]
    for (const [index, operation] of operations.entries()) {
      const owner = owners[operation.account]!
      const before = expected[operation.account]!
      switch (operation._tag) {
        case "Credit": {
          expected[operation.account] = before + operation.micros
          credited += operation.micros
          const { balance } = yield* accounts.credit(owner.id, MicroUsd(operation.micros))
          assert.strictEqual(balance, expected[operation.account])
          break
        }
        case "Charge": {
          const affordable = before >= operation.micros
          if (affordable) expected[operation.account] = before - operation.micros
          const requestId = `req_${index}`
          assert.strictEqual(yield* charge(owner, requestId, operation.micros), affordable)
          if (affordable) last[operation.account] = requestId
          break
        }
        case "Repeat": {
          const charged = last[operation.account]
          if (charged !== undefined && before > 0) {
            assert.isTrue(Exit.isFailure(yield* Effect.exit(charge(owner, charged, 1))))
          }
        }
      }
    }
    const sums = yield* ledgers
    for (const [index, { id }] of owners.entries()) {
      assert.strictEqual(yield* balanceOf(id), expected[index])
      assert.strictEqual(sums[`wallet:${id}`] ?? 0, expected[index])
      const postings = yield* accounts.journal(id, 1_000)
      assert.strictEqual(sum(postings.map(({ micros }) => micros)), expected[index])
    }
    assert.strictEqual(sum(Object.values(sums)), 0)
    assert.strictEqual(sums["cash"] ?? 0, 0 - credited)
    assert.strictEqual(sums["revenue"] ?? 0, credited - sum(expected))
  })

describe("all ledgers together", () => {
  it(
    "are zero, and every balance is the sum of its journal, after any sequence of operations",
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(operation, { maxLength: 40 }), (operations) =>
          Effect.runPromise(inMemory(agreesWithModel(operations))),
        ),
        { numRuns: 200 },
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
            assert.deepStrictEqual(yield* accounts.keys(id), [])
            return
          }
          const { key, plaintext } = yield* issue
          const token = Redacted.value(plaintext)
          assert.isTrue(token.startsWith(`svk_${environment}_`))
          assert.deepStrictEqual(yield* accounts.keys(id), [key])
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

  it.effect("that are revoked or were never issued name nobody", () =>
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
        assert.isUndefined(yield* keyring.find(yield* secrets.sha256("svk_live_unknown")))

        yield* TestClock.setTime(7_000)
        yield* accounts.revokeKey(first.key.id)
        assert.isUndefined(yield* keyring.find(hash))
        assert.isDefined(yield* keyring.find(yield* secrets.sha256(Redacted.value(second.plaintext))))
        const listed = yield* accounts.keys("one")
        assert.deepStrictEqual(new Map(listed.map(({ id, revokedAt }) => [id, revokedAt])).get(first.key.id), 7_000)
        for (const id of [first.key.id, "key_0", Redacted.value(second.plaintext)]) {
          assert.strictEqual((yield* Effect.flip(accounts.revokeKey(id))).code, "not_found")
        }
        assert.deepStrictEqual(yield* accounts.keys("one"), listed)
      }),
    ),
  )

  it.scoped("are nowhere in the store but as hash and last four characters", () =>
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
        const shown = JSON.stringify([yield* accounts.keys(id), issued, String(issued[0]!.plaintext)])
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

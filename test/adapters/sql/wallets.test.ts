import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { balanceOf, charge, charges, funded, inMemory, ledgers, suggestionsOf, sum } from "../../support/accounts.ts"
import { anyAccountsOnDisk } from "../../support/anyStore.ts"
import { everyRun } from "../../support/property.ts"

describe("a wallet", () => {
  it.effect("lists every posting, newest first; its balance is their sum", () =>
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

  it.effect("accepts only amounts above zero, up to the largest safe integer", () =>
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

  it.effect("of an unknown account is empty and pays nothing", () =>
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
          }).pipe(Effect.provide(anyAccountsOnDisk))
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

/** Does the operations on three new accounts of the store and on three numbers, and compares. */
const agreesWithModel = (operations: ReadonlyArray<Operation>, run: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const before = yield* ledgers
    const owners = yield* Effect.forEach(["one", "two", "three"], (name) => funded(`${name} of run ${run}`, 0))
    const expected = [0, 0, 0]
    let credited = 0
    const last: Array<string | undefined> = [undefined, undefined, undefined]
    for (const [index, operation] of operations.entries()) {
      const owner = owners[operation.account]!
      const held = expected[operation.account]!
      switch (operation._tag) {
        case "Credit": {
          expected[operation.account] = held + operation.micros
          credited += operation.micros
          const { balance } = yield* accounts.credit(owner.id, MicroUsd(operation.micros))
          assert.strictEqual(balance, expected[operation.account])
          break
        }
        case "Charge": {
          const affordable = held >= operation.micros
          if (affordable) expected[operation.account] = held - operation.micros
          const requestId = `req_${run}_${index}`
          assert.strictEqual(yield* charge(owner, requestId, operation.micros), affordable)
          if (affordable) last[operation.account] = requestId
          break
        }
        case "Repeat": {
          const charged = last[operation.account]
          if (charged !== undefined && held > 0) {
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
    const change = (ledger: string) => (sums[ledger] ?? 0) - (before[ledger] ?? 0)
    assert.strictEqual(change("cash"), 0 - credited)
    assert.strictEqual(change("revenue"), credited - sum(expected))
  })

describe("all ledgers together", () => {
  it(
    "are zero, and every balance is the sum of its journal, after any sequence of operations",
    { timeout: 60_000 },
    () => Effect.runPromise(inMemory(everyRun(fc.array(operation, { maxLength: 40 }), 200, agreesWithModel))),
  )
})

// Proof: takes five seconds or more.
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as changes from "../../../adapters/store/engine/changes.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { types } from "../../../core/events/Event.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { ChangeLog, CurrentChange } from "../../../core/people/Change.ts"
import { suggestionsOf } from "../../support/accounts.ts"
import { delivered, deliveriesOf, endOf, inStore, start, states, turn } from "../../support/deliveryQueue.ts"
import { inMemory, onDisk, race, tally, typesOf } from "../../support/ledger.ts"
import { everyRun } from "../../support/property.ts"
import { count, events, type Spender, spend, spender } from "../../support/spender.ts"

/** The data of the events `wallet.low`, as texts, in the order they were written. */
const texts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ data: string }>`SELECT data FROM outbox WHERE type = 'wallet.low'`, (rows) =>
    rows.map(({ data }) => data),
  ),
)

/** The balances in the events, in the order they were written. */
const balances: Effect.Effect<ReadonlyArray<unknown>, unknown, SqlClient.SqlClient> = Effect.map(events, (all) =>
  all.flatMap(({ type, data }) => (type === "wallet.low" ? [data["balance_micros"]] : [])),
)

const setLow = ({ accountId }: Pick<Spender, "accountId">, micros: number | undefined) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.setLowBalance(accountId, micros === undefined ? undefined : MicroUsd(micros)),
  )

const credit = ({ accountId }: Pick<Spender, "accountId">, micros: number) =>
  Effect.flatMap(Accounts, (accounts) => accounts.credit(accountId, MicroUsd(micros)))

const payer = (name: string, balance: number, low: number | undefined, caps: Parameters<typeof spender>[1] = {}) =>
  Effect.tap(spender(name, caps, balance), (who) => setLow(who, low))

const remember = { key: "3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34", requestHash: "hash", stored: "{}" }

describe("the event of a low balance", () => {
  const rows: ReadonlyArray<
    readonly [
      name: string,
      balance: number,
      low: number | undefined,
      charges: ReadonlyArray<number>,
      ReadonlyArray<number>,
    ]
  > = [
    ["no threshold", 100, undefined, [50, 50], []],
    ["a balance above it", 100, 50, [49], []],
    ["a balance exactly at it", 100, 50, [50], []],
    ["one below it", 100, 50, [51], [49]],
    ["a charge from exactly at it", 50, 50, [1], [49]],
    ["a charge far past it, to nothing", 100, 50, [100], [0]],
    ["further charges below it", 100, 50, [51, 1, 48], [49]],
    ["a balance that was below it before", 40, 50, [1, 39], []],
    ["a charge that the balance does not cover", 100, 50, [101], []],
    ["such a charge, and one that crosses it", 100, 50, [101, 60, 41], [40]],
    ["a free call", 100, 50, [0, 50, 0], []],
    ["the least threshold", 2, 1, [1, 1], [0]],
    ["the largest one", 100, Number.MAX_SAFE_INTEGER, [1], []],
  ]
  for (const [name, balance, low, charges, expected] of rows) {
    it.effect(name, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* payer("bot", balance, low)
          yield* Effect.forEach(charges, (micros) => spend(who, micros))
          assert.deepStrictEqual(yield* balances, expected)
          assert.strictEqual(yield* count("outbox"), expected.length)
        }),
      ),
    )
  }

  it.effect("has the same text on every store", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 9_000_000_000_000_000, 8_999_999_999_999_999)
        yield* spend(who, 2)
        assert.deepStrictEqual(yield* texts, [
          '{"balance_micros":8999999999999998,"threshold_micros":8999999999999999}',
        ])
        assert.deepStrictEqual(
          (yield* events).map(({ type, livemode }) => [type, livemode]),
          [["wallet.low", 1]],
        )
      }),
    ),
  )

  it.effect("comes of no test key, and of no other account", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 100, 50)
        const other = yield* payer("other", 100, undefined)
        yield* spend(who, 100, { livemode: false })
        yield* spend(other, 100)
        assert.deepStrictEqual(yield* texts, [])
      }),
    ),
  )

  it.effect("comes again after a credit to the threshold, and not after a smaller one", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 100, 50)
        yield* spend(who, 60)
        yield* credit(who, 9)
        yield* spend(who, 1)
        assert.deepStrictEqual(yield* balances, [40])
        yield* credit(who, 2)
        yield* spend(who, 1)
        assert.deepStrictEqual(yield* balances, [40, 49])
        yield* credit(who, 1_000)
        yield* Effect.forEach([999, 1], (micros) => spend(who, micros))
        assert.deepStrictEqual(yield* balances, [40, 49, 49])
      }),
    ),
  )

  const thresholds: ReadonlyArray<readonly [string, number | undefined, number, ReadonlyArray<number>]> = [
    ["raised above the balance: it is below already", 90, 1, []],
    ["raised to the balance", 80, 1, [79]],
    ["lowered", 20, 60, []],
    ["lowered, and crossed", 20, 61, [19]],
    ["the same", 50, 31, [49]],
    ["removed", undefined, 80, []],
  ]
  for (const [name, low, charge, expected] of thresholds) {
    it.effect(`a threshold that is changed: ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const who = yield* payer("bot", 100, 50)
          yield* spend(who, 20)
          yield* setLow(who, low)
          assert.strictEqual(yield* accounts.lowBalance(who.accountId), low)
          yield* spend(who, charge)
          assert.deepStrictEqual(yield* balances, expected)
        }),
      ),
    )
  }

  it.effect("can be changed back and forth, and each crossing counts", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 100, 90)
        yield* spend(who, 11)
        yield* setLow(who, 80)
        yield* spend(who, 10)
        yield* setLow(who, undefined)
        yield* spend(who, 10)
        yield* setLow(who, 69)
        yield* spend(who, 1)
        assert.deepStrictEqual(yield* balances, [89, 79, 68])
      }),
    ),
  )

  it.effect("is written beside the events of a cap, before them", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 2_000, 1_500, { monthlyCap: 1_000 })
        yield* spend(who, 1_000)
        assert.deepStrictEqual(yield* typesOf, ["wallet.low", "warning", "exceeded"])
      }),
    ),
  )

  for (const [low, price] of [
    [500_000, 1_000],
    [500_001, 999],
    [1, 1_000],
  ] as const) {
    it.effect(`is one of 1,000 concurrent charges of ${price}, below ${low}`, () =>
      onDisk(
        Effect.gen(function* () {
          const balance = 1_000_000
          const who = yield* payer("bot", balance, low)
          const other = yield* payer("other", balance, low)
          const [said] = yield* Effect.all([race(who, 1_000, price), race(other, 1_000, price)], {
            concurrency: "unbounded",
          })
          assert.deepStrictEqual(said, { Accepted: 1_000 })
          // The first balance below the threshold.
          const first = balance - price * (Math.floor((balance - low) / price) + 1)
          assert.deepStrictEqual(yield* balances, [first, first])
        }),
      ),
    )
  }

  it.effect("is one for a call that is sent a hundred times with one Idempotency-Key", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 100, 50)
        const both = yield* Effect.all(
          Arr.makeBy(100, () => spend(who, 51, { remember })),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(both), { Accepted: 1, Insufficient: 99 })
        yield* credit(who, 1_000)
        assert.strictEqual((yield* spend(who, 1_000, { remember }))._tag, "Concurrent")
        assert.deepStrictEqual(yield* balances, [49])
      }),
    ),
  )

  it.effect("is undone with its charge", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* payer("bot", 100, 50)
        yield* spend(who, 10, { requestId: "req_twice" })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(spend(who, 60, { requestId: "req_twice" }))))
        assert.deepStrictEqual(yield* balances, [])
        yield* spend(who, 41)
        assert.deepStrictEqual(yield* balances, [49])
      }),
    ),
  )

  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ _tag: fc.constant("Charge" as const), micros: fc.integer({ min: 0, max: 40 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ _tag: fc.constant("Credit" as const), micros: fc.integer({ min: 1, max: 90 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        _tag: fc.constant("Low" as const),
        micros: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
      }),
    },
  )
  it.effect("agrees with a model, after any sequence of charges, credits and thresholds", () =>
    inMemory(
      everyRun(fc.array(step, { maxLength: 30 }), Number(process.env["MODEL_RUNS"] ?? 100), (all, run) =>
        Effect.gen(function* () {
          const who = yield* payer(`bot of run ${run}`, 60, 30)
          const before = (yield* balances).length
          let [balance, low]: [number, number | undefined] = [60, 30]
          const expected: Array<number> = []
          for (const each of all) {
            if (each._tag === "Low") {
              low = each.micros
              yield* setLow(who, low)
            } else if (each._tag === "Credit") {
              balance += each.micros
              yield* credit(who, each.micros)
            } else {
              yield* spend(who, each.micros)
              if (each.micros > balance) continue
              const after = balance - each.micros
              if (low !== undefined && balance >= low && after < low) expected.push(after)
              balance = after
            }
          }
          assert.deepStrictEqual((yield* balances).slice(before), expected)
        }),
      ),
    ),
  )

  it.effect("is delivered to the webhooks that are subscribed to it, and to no other", () =>
    inStore(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const who = yield* payer("bot", 100, 50)
        const stranger = yield* spender("stranger", {})
        const hook = (owner: Spender, host: string, names: ReadonlyArray<string>) =>
          Effect.map(webhooks.create(owner.accountId, `https://${host}.example/`, names), ({ webhook: { id } }) => id)
        const own = yield* hook(who, "low", ["wallet.low"])
        const all = yield* hook(who, "all", types)
        const budget = yield* hook(who, "budget", ["agent.budget_warning", "agent.budget_exceeded"])
        const others = yield* hook(stranger, "stranger", types)
        yield* spend(who, 60, { at: start })
        assert.strictEqual(yield* count("webhook_deliveries"), 2)
        for (const id of [budget, others]) assert.deepStrictEqual(yield* deliveriesOf(id), [])
        // Two events of one moment do not wait for each other: they have no agent in common.
        yield* credit(who, 60)
        yield* spend(who, 60, { at: start })
        const leased = yield* turn("w", start, { [own]: 5, [all]: 5 })
        assert.deepStrictEqual(leased.map(({ webhookId }) => webhookId).toSorted(), [own, own, all, all].toSorted())
        const { id, ...body } = JSON.parse(leased[0]!.body)
        assert.strictEqual(id, leased[0]!.eventId)
        assert.deepStrictEqual(body, {
          type: "wallet.low",
          timestamp: new Date(start).toISOString(),
          api_version: "v1",
          livemode: true,
          data: { balance_micros: 40, threshold_micros: 50 },
        })
        yield* turn(
          "w",
          start + 100,
          {},
          leased.map((each) => endOf(each, delivered)),
        )
        assert.deepStrictEqual(states(yield* deliveriesOf(own)), ["Delivered", "Delivered"])
      }),
    ),
  )
})

describe("the threshold of a wallet", () => {
  it.effect("is above zero, of an account that exists, and there is none at first", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { accountId } = yield* spender("bot", {})
        assert.isUndefined(yield* accounts.lowBalance(accountId))
        for (const micros of [0, -1]) {
          const failure = yield* Effect.flip(accounts.setLowBalance(accountId, MicroUsd(micros)))
          assert.strictEqual(suggestionsOf(failure), "threshold_micros must be above 0.")
        }
        assert.strictEqual((yield* Effect.flip(accounts.setLowBalance("nobody", MicroUsd(1)))).code, "not_found")
        assert.strictEqual((yield* Effect.flip(accounts.lowBalance("nobody"))).code, "not_found")
        assert.isUndefined(yield* accounts.lowBalance(accountId))
      }),
    ),
  )

  it.effect("is not negative or zero in the store either", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const who = yield* payer("bot", 100, 50)
        for (const micros of [0, -1]) {
          const error = yield* Effect.flip(sql`UPDATE wallets SET low_micros = ${micros}`)
          assert.match(String(error.cause), /check constraint/i)
        }
        assert.strictEqual(yield* (yield* Accounts).lowBalance(who.accountId), 50)
      }),
    ),
  )

  it.effect("is changed with its line in the log", () =>
    inMemory(
      Effect.gen(function* () {
        const { accountId } = yield* spender("bot", {})
        const change = { at: 5, who: "command line", verb: "wallet_threshold", subject: accountId, accountId }
        yield* Effect.provideService(setLow({ accountId }, 50), CurrentChange, change)
        const lines = yield* Effect.provide(
          Effect.flatMap(ChangeLog, ({ page }) => page({ limit: 10 })),
          changes.layer,
        )
        assert.deepStrictEqual(
          lines.map(({ seq: _, ...line }) => line),
          [change],
        )
      }),
    ),
  )
})

import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { folds } from "../../../../adapters/store/money/folds.ts"
import { gauges, mostCounted, unsettled } from "../../../../adapters/store/upkeep/gauges.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import type { Fact } from "../../../../core/payment/Order.ts"
import { Payments } from "../../../../core/payment/Payments.ts"
import { Meter, noCounting } from "../../../../core/telemetry/Meter.ts"
import { hour } from "../../../../core/time.ts"
import { funded } from "../../../support/accounts.ts"
import { anyAccounts, anyAccountsUnfolded, anyStore } from "../../../support/anyStore.ts"
import { book, message, paymentsOver } from "../../../support/paymentBook.ts"
import { isPostgres } from "../../../support/postgres.ts"
import { spend, spender } from "../../../support/spender.ts"

const now = 1_000_000

describe("the store's gauges", () => {
  it.effect("count deliveries that are due and dead letters, up to a bound", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO accounts ${sql.insert({ id: "acc_1", name: "one", created_at: 0 })}`
      yield* sql`INSERT INTO webhooks ${sql.insert({
        id: "wh_1",
        account_id: "acc_1",
        url: "https://one.example/",
        status: "active",
        secret: "sealed",
        created_at: 0,
      })}`
      const put = (name: string, amount: number, rest: Readonly<Record<string, number | string | null>>) =>
        Effect.forEach(
          Array.from({ length: Math.ceil(amount / 500) }, (_, part) => part),
          (part) =>
            sql`INSERT INTO webhook_deliveries ${sql.insert(
              Array.from({ length: Math.min(500, amount - part * 500) }, (_, n) => ({
                webhook_id: "wh_1",
                event_id: `${name}_${part}_${n}`,
                type: "budget.threshold",
                cause: "event",
                created_at: 0,
                ended_at: null,
                outcome: null,
                reason: null,
                ...rest,
              })),
            )}`,
        )
      yield* put("due", 3, { due_at: now })
      yield* put("later", 2, { due_at: now + 1 })
      yield* put("dead", 4, { due_at: now, ended_at: now, outcome: "dead", reason: "expired" })
      yield* put("delivered", 5, { due_at: now, ended_at: now, outcome: "delivered" })
      const found = yield* gauges
      assert.deepStrictEqual(
        { due: found.due, dead: found.dead, backupAt: found.backupAt },
        { due: 3, dead: 4, backupAt: undefined },
      )
      assert.isAbove(found.bytes, 50_000)
      yield* put("more", mostCounted, { due_at: 0 })
      assert.strictEqual((yield* gauges).due, mostCounted)
    }).pipe(Effect.provide(anyStore)),
  )
})

it.effect("the lag of usage is the time since the oldest call that is not in its sums; PostgreSQL has none", () =>
  Effect.gen(function* () {
    const bot = yield* spender("bot", {})
    const lagAt = (millis: number) =>
      Effect.zipRight(
        TestClock.setTime(millis),
        Effect.map(gauges, ({ usageLagMs }) => usageLagMs),
      )
    assert.strictEqual(yield* lagAt(now), 0)
    for (const at of [hour, 2 * hour]) yield* spend(bot, 1, { at })
    assert.strictEqual(yield* lagAt(3 * hour), isPostgres ? 0 : 2 * hour)
    yield* (yield* folds).all
    assert.strictEqual(yield* lagAt(4 * hour), 0)
    yield* spend(bot, 1, { at: 4 * hour })
    assert.strictEqual(yield* lagAt(4 * hour + 5_000), isPostgres ? 0 : 5_000)
  }).pipe(Effect.provide(anyAccountsUnfolded)),
)

it.effect("orders that wait are counted by their state, and those that do not are not", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* unsettled, {
      open: { count: 0, oldestAt: undefined },
      mismatched: { count: 0, oldestAt: undefined },
    })
    const { id: accountId } = yield* funded("one", 0)
    const begun = Effect.flatMap(Payments, ({ begin }) => begin({ accountId, micros: MicroUsd(5_000_000) }))
    const at = (millis: number, ...facts: ReadonlyArray<Fact>) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(millis)
        const { order } = yield* begun
        for (const fact of facts) {
          yield* Effect.flatMap(Payments, ({ receive }) => receive("book", {}, message(order.id, fact)))
        }
      })
    const usd = (micros: number) => ({ micros, currency: "usd" })
    const ended: Fact = { kind: "ended", reference: "cs_1", detail: "expired" }
    yield* at(1_000)
    yield* at(2_000)
    yield* at(3_000, { kind: "paid", reference: "pi_1", amount: usd(5_000_000) })
    yield* at(4_000, { kind: "paid", reference: "pi_2", amount: usd(4_000_000) })
    yield* at(5_000, ended)
    yield* at(6_000, { ...ended, reference: "cs_2" }, { kind: "paid", reference: "pi_3", amount: usd(1) })
    assert.deepStrictEqual(yield* unsettled, {
      open: { count: 2, oldestAt: 1_000 },
      mismatched: { count: 2, oldestAt: 4_000 },
    })
    assert.strictEqual((yield* sql<{ n: number }>`SELECT count(*) AS n FROM orders`).map(({ n }) => Number(n))[0], 6)
  }).pipe(Effect.provide(paymentsOver(book(new Map())).pipe(Layer.provideMerge(anyAccounts)))),
)

it.effect("every settled call is in a counted batch of the ledger", () => {
  const batches: Array<readonly [items: number, isDurable: boolean]> = []
  const meter = {
    ...noCounting,
    committed: (items: number, _: number, isDurable: boolean) => void batches.push([items, isDurable]),
  }
  return Effect.gen(function* () {
    const bot = yield* spender("bot", {})
    const before = batches.length
    yield* Effect.all(
      Array.from({ length: 20 }, () => spend(bot, 1)),
      { concurrency: "unbounded" },
    )
    const counted = batches.slice(before)
    assert.isAbove(counted.length, 0)
    assert.isBelow(counted.length, 20)
    assert.isTrue(counted.every(([, isDurable]) => isDurable))
    assert.isAtLeast(
      counted.reduce((sum, [items]) => sum + items, 0),
      20,
    )
  }).pipe(Effect.provide(anyAccounts), Effect.provideService(Meter, meter))
})

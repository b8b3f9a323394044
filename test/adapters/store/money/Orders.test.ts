import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import type { Fact, Order } from "../../../../core/payment/Order.ts"
import { Payments } from "../../../../core/payment/Payments.ts"
import { balanceOf, charge, funded, ledgers, suggestionsOf, sum } from "../../../support/accounts.ts"
import { anyAccounts } from "../../../support/anyStore.ts"
import { book, expectedOf, message, paymentsOver, stories, toldOf } from "../../../support/paymentBook.ts"
import { everyRun } from "../../../support/property.ts"

const dollars = (count: number) => MicroUsd(count * 1_000_000)
const usd = (micros: number) => ({ micros, currency: "usd" })

const books = new Map<string, ReadonlyArray<Fact>>()
const layer = paymentsOver(book(books)).pipe(Layer.provideMerge(anyAccounts))

const over = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<typeof layer>>) => Effect.provide(effect, layer)

/** Begins an order of an account. */
const begun = (accountId: string, micros = dollars(5)) =>
  Effect.flatMap(Payments, ({ begin }) => Effect.map(begin({ accountId, micros }), ({ order }) => order))

/** Delivers messages about an order, one after the other. */
const deliver = (orderId: string, facts: ReadonlyArray<Fact>) =>
  Effect.flatMap(Payments, ({ receive }) =>
    Effect.forEach(facts, (fact) => receive("book", {}, message(orderId, fact))),
  )

const isSuspended = (account: string) =>
  Effect.flatMap(Accounts, ({ get }) => Effect.map(get(account), ({ suspendedAt }) => suspendedAt !== undefined))

const paid: Fact = { kind: "paid", reference: "pi_1", amount: usd(5_000_000) }
const refund = (micros: number): Fact => ({ kind: "refunded", reference: `re_${micros}`, amount: usd(micros) })
const dispute = (micros: number): Fact => ({ kind: "disputed", reference: `dp_${micros}`, amount: usd(micros) })
const ended: Fact = { kind: "ended", reference: "cs_1", detail: "expired" }

describe("an order", () => {
  it.effect("is begun with its page, and credited under its own id", () =>
    over(
      Effect.gen(function* () {
        const { id } = yield* funded("one", 0)
        yield* TestClock.setTime(1_783_000_000_000)
        const { begin, find } = yield* Payments
        const { order, url } = yield* begin({ accountId: id, micros: dollars(5), origin: "http://127.0.0.1:8080" })
        const back = encodeURIComponent(`http://127.0.0.1:8080/dashboard/top-up?order=${order.id}`)
        assert.strictEqual(url, `https://pay.example/${order.id}?back=${back}`)
        assert.strictEqual(yield* balanceOf(id), 0)
        yield* deliver(order.id, [paid])
        const accounts = yield* Accounts
        assert.deepStrictEqual(yield* accounts.journal(id, 10), [
          { id: order.id, at: 1_783_000_000_000, micros: 5_000_000, kind: "credit", provider: "book", receipt: "pi_1" },
        ])
        const known = (yield* find(order.id))!
        assert.deepStrictEqual([known.state, known.creditedMicros, known.takenBackMicros], ["paid", 5_000_000, 0])
        assert.deepStrictEqual(
          known.facts.map(({ kind, reference }) => [kind, reference]),
          [
            ["opened", `page/${order.id}`],
            ["paid", "pi_1"],
          ],
        )
      }),
    ),
  )

  for (const [name, facts, state, balance, suspended] of [
    ["never paid", [], "open", 0, false],
    ["paid twice in one message each", [paid, paid], "paid", 5_000_000, false],
    ["expired", [ended], "ended", 0, false],
    ["expired and paid late", [ended, paid], "paid", 5_000_000, false],
    ["paid with less", [{ ...paid, amount: usd(4_990_000) }], "mismatched", 0, false],
    ["paid with more", [{ ...paid, amount: usd(5_010_000) }], "mismatched", 0, false],
    ["paid in another currency", [{ ...paid, amount: { micros: 5_000_000, currency: "eur" } }], "mismatched", 0, false],
    ["refunded in part", [paid, refund(2_000_000)], "returned", 3_000_000, false],
    ["refunded in two parts, cumulative", [paid, refund(2_000_000), refund(4_000_000)], "returned", 1_000_000, false],
    [
      "refunded in two parts, the second first",
      [paid, refund(4_000_000), refund(2_000_000)],
      "returned",
      1_000_000,
      false,
    ],
    ["refunded before its payment is known", [refund(5_000_000), paid], "returned", 0, false],
    ["refunded without a payment", [refund(5_000_000)], "open", 0, false],
    ["disputed", [paid, dispute(5_000_000)], "returned", 0, false],
    ["disputed twice", [paid, dispute(2_000_000), dispute(1_000_000)], "returned", 2_000_000, false],
    ["refunded and disputed for more than it was", [paid, refund(5_000_000), dispute(5_000_000)], "returned", 0, false],
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Fact>, string, number, boolean]>) {
    it.effect(`that is ${name} is ${state}, with ${balance} micro-dollars`, () =>
      over(
        Effect.gen(function* () {
          const { id } = yield* funded("one", 0)
          const order = yield* begun(id)
          yield* deliver(order.id, facts)
          const known = (yield* (yield* Payments).find(order.id))!
          assert.strictEqual(known.state, state)
          assert.strictEqual(yield* balanceOf(id), balance)
          assert.strictEqual(yield* isSuspended(id), suspended)
        }),
      ),
    )
  }

  it.effect("that is given back takes the wallet down to zero, suspends the account for the rest, and says so", () =>
    over(
      Effect.gen(function* () {
        const owner = yield* funded("one", 0)
        const order = yield* begun(owner.id)
        yield* deliver(order.id, [paid])
        assert.isTrue(yield* charge(owner, "req_1", 4_000_000))
        yield* deliver(order.id, [refund(3_000_000)])
        assert.strictEqual(yield* balanceOf(owner.id), 0)
        assert.isTrue(yield* isSuspended(owner.id))
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT who, verb, subject FROM changes WHERE account_id = ${owner.id}`, [
          { who: "book", verb: "accounts_suspend", subject: order.id },
        ])
        // The operator resumes the account; the same message again changes nothing.
        const accounts = yield* Accounts
        yield* accounts.resume(owner.id)
        yield* accounts.credit(owner.id, dollars(10))
        yield* deliver(order.id, [refund(3_000_000), paid])
        assert.strictEqual(yield* balanceOf(owner.id), 10_000_000)
        assert.isFalse(yield* isSuspended(owner.id))
        assert.strictEqual(sum(Object.values(yield* ledgers)), 0)
      }),
    ),
  )

  it.effect("belongs to its facts alone: a payment counts for one order", () =>
    over(
      Effect.gen(function* () {
        const { id } = yield* funded("one", 0)
        const [first, second] = [yield* begun(id), yield* begun(id)]
        yield* deliver(first.id, [paid])
        yield* deliver(second.id, [paid])
        assert.strictEqual(yield* balanceOf(id), 5_000_000)
        assert.strictEqual((yield* (yield* Payments).find(second.id))?.state, "open")
      }),
    ),
  )

  it.effect("is not begun with an amount that no page takes, or without a provider", () =>
    over(
      Effect.gen(function* () {
        const { id } = yield* funded("one", 0)
        const { begin, page } = yield* Payments
        for (const micros of [0, 999_999, 1_000_001, 10_000_010_000]) {
          const failure = yield* Effect.flip(begin({ accountId: id, micros: MicroUsd(micros) }))
          assert.strictEqual(suggestionsOf(failure), "The amount must be 1 USD to 10000 USD, in whole cents.")
        }
        const failure = yield* Effect.flip(begin({ accountId: id, micros: dollars(1), provider: "nobody" }))
        assert.strictEqual(suggestionsOf(failure), "provider must be one of book.")
        assert.deepStrictEqual(yield* page({ limit: 10 }), [])
      }),
    ),
  )

  it.effect("is not changed by a message that is forged, of another provider, or about an unknown order", () =>
    over(
      Effect.gen(function* () {
        const { id } = yield* funded("one", 0)
        const { receive } = yield* Payments
        const order = yield* begun(id)
        const forged = yield* Effect.flip(receive("book", {}, new TextEncoder().encode("forged")))
        assert.strictEqual(forged.code, "invalid_request_body")
        assert.strictEqual((yield* Effect.flip(receive("other", {}, message(order.id, paid)))).code, "not_found")
        assert.deepStrictEqual(yield* receive("book", {}, message("txn_00000000000000000000000000", paid)), [])
        assert.strictEqual(yield* balanceOf(id), 0)
      }),
    ),
  )

  it.effect("follows the set of its facts: whatever is delivered twice, late or out of order", () =>
    over(
      everyRun(
        fc
          .integer({ min: 100, max: 1_000_000 })
          .map((cents) => cents * 10_000)
          .chain((micros) =>
            fc.record({
              micros: fc.constant(micros),
              story: stories(micros),
              // Which fact comes, and how many at once: some more than once, and all at least once at the end.
              first: fc.array(fc.nat({ max: 20 }), { maxLength: 12 }),
            }),
          ),
        40,
        ({ micros, story, first }, run) =>
          Effect.gen(function* () {
            const { id } = yield* funded(`owner ${run}`, 0)
            const order = yield* begun(id, MicroUsd(micros))
            const facts = toldOf(order, story)
            if (facts.length > 0) {
              yield* deliver(
                order.id,
                first.map((at) => facts[at % facts.length]!),
              )
              yield* Effect.all(
                [...facts, ...facts].reverse().map((fact) => deliver(order.id, [fact])),
                { concurrency: 3 },
              )
            }
            const expected = expectedOf(micros, story)
            const known = (yield* (yield* Payments).find(order.id))!
            assert.deepStrictEqual(
              {
                creditedMicros: known.creditedMicros,
                takenBackMicros: known.takenBackMicros,
                balance: yield* balanceOf(id),
              },
              expected as typeof expected & { balance: MicroUsd },
            )
            assert.isFalse(yield* isSuspended(id))
          }),
      ),
    ),
  )
})

describe("the comparison with the providers' books", () => {
  it.effect("finds payments without a proof, and refunds once a day", () =>
    over(
      Effect.gen(function* () {
        yield* TestClock.setTime(1_783_000_000_000)
        const { id } = yield* funded("one", 0)
        const orders = yield* Effect.forEach([1, 2, 3, 4], (count) => begun(id, dollars(count)))
        const [lost, expired, wrong, known] = orders as unknown as Readonly<Record<0 | 1 | 2 | 3, Order>> &
          Iterable<Order>
        const of = (order: { readonly id: string }, ...facts: ReadonlyArray<Fact>) =>
          books.set(order.id, toldOf(order, facts))
        of(lost, { ...paid, amount: usd(1_000_000) })
        of(expired, ended)
        of(wrong, { ...paid, amount: usd(1) })
        of(known, { ...paid, amount: usd(4_000_000) })
        yield* deliver(known.id, books.get(known.id)!)
        const { reconcile } = yield* Payments
        const nothing = { creditedMicros: 0, takenBackMicros: 0, unanswered: [], mismatched: [] }
        assert.deepStrictEqual(yield* reconcile("unproven"), {
          ...nothing,
          looked: 3,
          added: 3,
          creditedMicros: 1_000_000,
          mismatched: [wrong.id],
        })
        assert.strictEqual(yield* balanceOf(id), 5_000_000)
        assert.deepStrictEqual(yield* reconcile("unproven"), { ...nothing, looked: 0, added: 0 })
        of(known, { ...paid, amount: usd(4_000_000) }, refund(1_000_000))
        assert.deepStrictEqual(yield* reconcile("all"), {
          ...nothing,
          looked: 4,
          added: 1,
          takenBackMicros: 1_000_000,
          mismatched: [wrong.id],
        })
        assert.strictEqual(yield* balanceOf(id), 4_000_000)
        yield* TestClock.adjust("149 days")
        assert.strictEqual((yield* reconcile("all")).looked, 3, "what was paid")
        yield* TestClock.adjust("51 days")
        assert.deepStrictEqual(yield* reconcile("all"), { ...nothing, looked: 0, added: 0 })
      }),
    ),
  )

  it.effect("goes on where an order cannot be followed, and says which", () =>
    over(
      Effect.gen(function* () {
        yield* TestClock.setTime(1_783_000_000_000)
        const [full, other] = [yield* funded("full", Number.MAX_SAFE_INTEGER), yield* funded("other", 0)]
        const orders = [yield* begun(full.id), yield* begun(other.id)]
        for (const order of orders) books.set(order.id, toldOf(order, [paid]))
        const found = yield* Effect.flatMap(Payments, ({ reconcile }) => reconcile("unproven"))
        assert.deepStrictEqual([found.unanswered, found.creditedMicros], [[orders[0]!.id], 5_000_000])
        assert.strictEqual(yield* balanceOf(other.id), 5_000_000)
      }),
    ),
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import Stripe from "stripe"
import { afterAll } from "vitest"
import { type Fact, type Order, orderStatus } from "../../../../core/payment/Order.ts"
import type { PaymentProof, TopUp } from "../../../../core/payment/TopUp.ts"
import { everyRun } from "../../../support/property.ts"
import { stripeHost } from "../../../support/stripe/host.ts"
import { type Act, ApiError, acts, type StripeEvent } from "../../../support/stripe/objects.ts"
import { back, messageOf, newOrder, providerOf } from "../../../support/stripe/provider.ts"

const host = await stripeHost()
afterAll(host.stop)

type Step = readonly [Act, number | undefined]

/** Facts once each, as the store keeps them. */
const set = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => [
  ...new Map(facts.map((fact) => [`${fact.kind} ${fact.reference}`, fact])).values(),
]

/** Does what can be done; Stripe refuses the rest. */
const play = (order: Order, steps: ReadonlyArray<Step>): ReadonlyArray<StripeEvent> => {
  const before = host.events.length
  for (const [act, cents] of steps) {
    try {
      host.act(act, order.id, cents)
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
    }
  }
  return host.events.slice(before)
}

const factsOf = ({ proof }: TopUp, order: Order, events: ReadonlyArray<StripeEvent>) =>
  Effect.gen(function* () {
    const proofs: Array<PaymentProof> = []
    for (const event of events) {
      const { headers, body } = messageOf(event)
      proofs.push(...(yield* proof(headers, body)))
    }
    for (const { orderId } of proofs) assert.strictEqual(orderId, order.id)
    return set(proofs.map(({ fact }) => fact))
  })

const step = (names: ReadonlyArray<Act>): fc.Arbitrary<Step> =>
  fc.tuple(fc.constantFrom(...names), fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }))

/** Histories that get far: most of them begin with a payment. */
const history = (names: ReadonlyArray<Act>): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc
    .tuple(
      fc.constantFrom<ReadonlyArray<Act>>(
        ["pay"],
        ["decline"],
        ["decline", "pay"],
        ["later", "settle"],
        ["later", "fail"],
        ["later"],
        ["expire"],
        [],
      ),
      fc.array(step(names), { maxLength: 8 }),
    )
    .map(([first, rest]) => [...first.map((act): Step => [act, undefined]), ...rest])

const settings = fc.constantFrom(
  { surcharge: 0, currency: undefined },
  { surcharge: 0, currency: undefined },
  { surcharge: 0, currency: undefined },
  { surcharge: 100, currency: undefined },
  { surcharge: -1, currency: undefined },
  { surcharge: 0, currency: "eur" },
)

describe("a history of an order at Stripe", () => {
  it.live("is the same in any messages as in the books, and neither credits what was not paid as asked", () =>
    Effect.gen(function* () {
      const stripe = yield* providerOf(host)
      const seen = new Set<string>()
      const value = fc.tuple(history(acts.filter((act) => act !== "win")), settings).chain(([steps, paidAs]) =>
        fc.record({
          steps: fc.constant(steps),
          paidAs: fc.constant(paidAs),
          order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        }),
      )
      yield* everyRun(value, 120, ({ steps, paidAs, order: random }) =>
        Effect.gen(function* () {
          host.switch({ deliver: false, ...paidAs })
          const order = newOrder()
          const opened = yield* stripe.begin(order, back)
          const events = play(order, steps)
          // Twice each, in any order.
          const shuffled = [...events, ...events]
            .map((event) => [random.next().value ?? 0, event] as const)
            .sort(([a], [b]) => a - b)
            .map(([, event]) => event)
          const told = yield* factsOf(stripe, order, shuffled)
          const looked = yield* stripe.look(order, opened)
          assert.deepStrictEqual(orderStatus(order, looked), orderStatus(order, told))
          // Money and end have the same references; sums on the way are told and not looked up.
          const keys = (facts: ReadonlyArray<Fact>) => facts.map(({ kind, reference }) => `${kind} ${reference}`)
          assert.includeMembers(keys(told), keys(looked))

          const { paid, refunded, disputed, currency, status } = host.standings()[order.id]!
          const isPaid = paid === 500 && currency === "usd"
          const returned = isPaid ? Math.min(500, refunded + disputed) * 10_000 : 0
          const { state, returned: due } = orderStatus(order, told)
          const isOver = status === "expired" || events.some(({ type }) => type.endsWith("async_payment_failed"))
          const expected = isPaid
            ? returned > 0
              ? "returned"
              : "paid"
            : paid > 0
              ? "mismatched"
              : isOver
                ? "ended"
                : "open"
          assert.deepStrictEqual([state, due], [expected, returned])
          seen.add(state)
        }),
      )
      assert.sameMembers([...seen], ["open", "paid", "mismatched", "ended", "returned"])
    }),
  )

  it.live("in which a dispute is won: the books take nothing back, the message that it took money stays known", () =>
    Effect.gen(function* () {
      host.calm()
      const stripe = yield* providerOf(host)
      const order = newOrder()
      const opened = yield* stripe.begin(order, back)
      const told = yield* factsOf(
        stripe,
        order,
        play(order, [
          ["pay", undefined],
          ["dispute", 300],
          ["win", undefined],
        ]),
      )
      const looked = yield* stripe.look(order, opened)
      assert.deepStrictEqual(orderStatus(order, told), { state: "returned", returned: 3_000_000 })
      assert.deepStrictEqual(orderStatus(order, looked), { state: "paid", returned: 0 })
    }),
  )

  it.live("has a dispute by the message that money was taken, even before the dispute itself says so", () =>
    Effect.gen(function* () {
      const stripe = yield* providerOf(host)
      const order = newOrder()
      yield* stripe.begin(order, back)
      const events = play(order, [
        ["pay", undefined],
        ["dispute", 300],
      ])
      const early = (type: string) => {
        const event = events.find((each) => each.type === type)!
        const object = event.data.object as object
        return factsOf(stripe, order, [{ ...event, data: { object: { ...object, balance_transactions: [] } } }])
      }
      assert.deepStrictEqual(yield* early("charge.dispute.created"), [])
      const [fact] = yield* early("charge.dispute.funds_withdrawn")
      assert.deepInclude(fact, { kind: "disputed", amount: { micros: 3_000_000, currency: "usd" } })
    }),
  )

  it.live("of another product of the account is none of ours, though its messages come here too", () =>
    Effect.gen(function* () {
      const stripe = yield* providerOf(host)
      const { hostname, port } = new URL(host.url)
      const shop = new Stripe(host.key, { host: hostname, port, protocol: "http", telemetry: false })
      const { id } = yield* Effect.promise(() =>
        shop.checkout.sessions.create({
          mode: "payment",
          line_items: [
            { quantity: 1, price_data: { currency: "usd", unit_amount: 900, product_data: { name: "A mug" } } },
          ],
          // Whoever opens a payment link can choose it.
          client_reference_id: newOrder().id,
          metadata: { order: "1042" },
          payment_intent_data: { metadata: { order: "1042" } },
          success_url: back.paid,
          cancel_url: back.cancelled,
          expires_at: Math.floor(Date.now() / 1_000) + 7_200,
        }),
      )
      const before = host.events.length
      for (const act of ["pay", "refund", "dispute"] as const) host.act(act, id, act === "pay" ? undefined : 300)
      const events = host.events.slice(before)
      assert.deepStrictEqual(yield* factsOf(stripe, newOrder(), events), [])
      assert.isAtLeast(events.length, 6)
    }),
  )

  it.live("in which a bank inquires takes nothing until it disputes", () =>
    Effect.gen(function* () {
      const stripe = yield* providerOf(host)
      const order = newOrder()
      const opened = yield* stripe.begin(order, back)
      const asked = play(order, [
        ["pay", undefined],
        ["inquiry", 200],
      ])
      assert.strictEqual(orderStatus(order, yield* factsOf(stripe, order, asked)).returned, 0)
      assert.strictEqual(orderStatus(order, yield* stripe.look(order, opened)).returned, 0)
      const taken = play(order, [["escalate", undefined]])
      assert.strictEqual(orderStatus(order, yield* factsOf(stripe, order, [...asked, ...taken])).returned, 2_000_000)
      assert.strictEqual(orderStatus(order, yield* stripe.look(order, opened)).returned, 2_000_000)
    }),
  )
})

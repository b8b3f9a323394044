import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { apiVersion } from "../../../../../adapters/server/payments/stripe/client.ts"
import type { Fact } from "../../../../../core/payment/Order.ts"
import type { ProofHeaders } from "../../../../../core/payment/TopUp.ts"
import { signed } from "../../../../support/stripe/delivery.ts"
import { stripeHost } from "../../../../support/stripe/host.ts"
import { formerSecret, messageOf, newOrder, providerOf, secret } from "../../../../support/stripe/provider.ts"

const host = await stripeHost()
afterAll(host.stop)

const { id: orderId } = newOrder()
const metadata = { order: orderId }

const event = (type: string, object: object, more: object = {}) => ({
  id: "evt_1",
  object: "event",
  api_version: apiVersion,
  created: 1,
  livemode: false,
  type,
  data: { object },
  ...more,
})

const session = {
  id: "cs_test_a1",
  object: "checkout.session",
  mode: "payment",
  status: "complete",
  payment_status: "paid",
  amount_total: 500,
  currency: "usd",
  client_reference_id: orderId,
  metadata,
  livemode: false,
  payment_intent: "pi_1",
  customer_details: { email: "payer@example.com" },
}
const charge = {
  id: "ch_1",
  object: "charge",
  amount: 500,
  amount_refunded: 120,
  currency: "usd",
  disputed: false,
  metadata,
}

const completed = "checkout.session.completed"
const succeeded = "checkout.session.async_payment_succeeded"
const failed = "checkout.session.async_payment_failed"
const expired = "checkout.session.expired"

const paid = (micros: number, currency: string): Fact => ({
  kind: "paid",
  reference: "pi_1",
  amount: { micros, currency },
})
const ended = (detail: string): Fact => ({ kind: "ended", reference: "cs_test_a1", detail })
const refunded = (reference: string, micros: number, currency = "usd"): Fact => ({
  kind: "refunded",
  reference,
  amount: { micros, currency },
})

const facts: ReadonlyArray<readonly [string, string, object, ReadonlyArray<Fact>]> = [
  ["is paid at once", completed, session, [paid(5_000_000, "usd")]],
  ["is paid late", succeeded, session, [paid(5_000_000, "usd")]],
  ["is paid with a cent less", completed, { ...session, amount_total: 499 }, [paid(4_990_000, "usd")]],
  ["is paid in euros", completed, { ...session, currency: "eur" }, [paid(5_000_000, "eur")]],
  ["is paid in yen, which have no hundredths", completed, { ...session, currency: "jpy" }, [paid(500_000_000, "jpy")]],
  ["is paid in dinars, which have thousandths", completed, { ...session, currency: "kwd" }, [paid(500_000, "kwd")]],
  ["is paid in krónur, counted in hundredths", completed, { ...session, currency: "isk" }, [paid(5_000_000, "isk")]],
  ["is not paid yet", completed, { ...session, payment_status: "unpaid" }, []],
  ["fails late", failed, { ...session, payment_status: "unpaid" }, [ended("The payment failed.")]],
  [
    "expires",
    expired,
    { ...session, status: "expired", payment_status: "unpaid", payment_intent: null },
    [ended("The page expired.")],
  ],
  [
    "costs nothing",
    completed,
    { ...session, payment_status: "no_payment_required", amount_total: 0, payment_intent: null },
    [ended("The page was closed without a payment.")],
  ],
  ["is refunded in part", "charge.refunded", charge, [refunded("ch_1:120", 1_200_000)]],
  ["is refunded", "charge.refunded", { ...charge, amount_refunded: 500 }, [refunded("ch_1:500", 5_000_000)]],
  ["is not refunded", "charge.refunded", { ...charge, amount_refunded: 0 }, []],
  ["is refunded in euros", "charge.refunded", { ...charge, currency: "eur" }, [refunded("ch_1:120", 1_200_000, "eur")]],
]

const strangers: ReadonlyArray<readonly [string, object]> = [
  ["a session without metadata", event(completed, { ...session, metadata: null })],
  ["a session of a payment link with our order as reference", event(completed, { ...session, metadata: {} })],
  ["another product's order", event(completed, { ...session, metadata: { order: "1042" } })],
  [
    "a balance transaction of Stripe's",
    event(completed, { ...session, metadata: { order: "txn_1MiN3gLkdIwHu7ixxapQrznl01" } }),
  ],
  ["a longer id", event(completed, { ...session, metadata: { order: `${orderId}0` } })],
  [
    "another product's subscription",
    event(completed, { id: "cs_test_2", object: "checkout.session", mode: "subscription" }),
  ],
  ["another product's charge", event("charge.refunded", { ...charge, metadata: {} })],
  ["an account connected to ours", event(completed, session, { account: "acct_1" })],
  ["a kind of message that is not read", event("invoice.paid", session)],
  ["a refund without a charge", event("refund.created", { object: "refund", charge: null })],
]

const misshapen: ReadonlyArray<readonly [string, object]> = [
  ["an amount as a text", event(completed, { ...session, amount_total: "500" })],
  ["a fraction of a cent", event(completed, { ...session, amount_total: 500.5 })],
  ["a negative amount", event(completed, { ...session, amount_total: -500 })],
  ["an amount beyond all", event(completed, { ...session, amount_total: 1e15 })],
  ["a currency in capitals", event(completed, { ...session, currency: "USD" })],
  ["no currency", event(completed, { ...session, currency: null })],
  ["paid by nothing", event(completed, { ...session, payment_intent: null })],
  ["an unknown way of being paid", event(completed, { ...session, payment_status: "partly_paid" })],
  ["a subscription with our order", event(completed, { ...session, mode: "subscription" })],
  ["a completed session that is open", event(completed, { ...session, status: "open" })],
  ["a late payment that did not arrive", event(succeeded, { ...session, payment_status: "unpaid" })],
  ["a failed payment that arrived", event(failed, session)],
  ["an expired session that is complete", event(expired, session)],
  ["a charge in place of the session", event(completed, charge)],
  ["a session in place of the charge", event("charge.refunded", session)],
  ["a refund of nothing known", event("charge.refunded", { ...charge, amount_refunded: null })],
  ["a dispute without an amount", event("charge.dispute.created", { id: "dp_1", object: "dispute" })],
  ["a message without an object", { ...event(completed, session), data: {} }],
  ["a message without a mode", { ...event(completed, session), livemode: undefined }],
  ["a list", [event(completed, session)]],
]

describe("a message of Stripe's", () => {
  for (const [name, type, object, expected] of facts) {
    it.live(`says that an order ${name}`, () =>
      Effect.gen(function* () {
        const { proof } = yield* providerOf(host)
        const { headers, body } = messageOf(event(type, object))
        assert.deepStrictEqual(
          yield* proof(headers, body),
          expected.map((fact) => ({ orderId, fact })),
        )
      }),
    )
  }

  it.live.each(strangers)("is nothing of ours: %s", ([, message]) =>
    Effect.gen(function* () {
      const { proof } = yield* providerOf(host)
      const { headers, body } = messageOf(message)
      assert.deepStrictEqual(yield* proof(headers, body), [])
    }),
  )

  it.live.each(misshapen)("is refused, and never counts as paid: %s", ([, message]) =>
    Effect.gen(function* () {
      const { proof } = yield* providerOf(host)
      const { headers, body } = messageOf(message)
      const failure = yield* Effect.flip(proof(headers, body))
      assert.strictEqual(failure.code, "invalid_request_body")
      assert.deepStrictEqual(
        failure.hints?.map(({ field }) => field),
        ["api_version"],
      )
      assert.include(failure.message, apiVersion)
      // The log has the place of the difference, and no value of a payer's.
      assert.notInclude(String(failure.cause), "payer@example.com")
    }),
  )

  it.live("is refused if its body is not JSON, with its own reason", () =>
    Effect.gen(function* () {
      const { proof } = yield* providerOf(host)
      const body = new TextEncoder().encode("paid!")
      const failure = yield* Effect.flip(proof({ "stripe-signature": signed("paid!", secret) }, body))
      assert.deepStrictEqual([failure.code, failure.hints?.[0]?.field], ["invalid_request_body", "api_version"])
    }),
  )

  const now = (): number => Math.floor(Date.now() / 1_000)
  const good = event(completed, session)
  const altered = (text: Uint8Array) => new TextEncoder().encode(new TextDecoder().decode(text).replace("500", "900"))

  const forged: ReadonlyArray<readonly [string, () => { readonly headers: ProofHeaders; readonly body: Uint8Array }]> =
    [
      ["no header", () => ({ ...messageOf(good), headers: {} })],
      ["an empty header", () => ({ ...messageOf(good), headers: { "stripe-signature": "" } })],
      ["a header of another form", () => ({ ...messageOf(good), headers: { "stripe-signature": "yes" } })],
      ["the secret of another endpoint", () => messageOf(good, "whsec_another")],
      ["a body that was altered", () => ({ ...messageOf(good), body: altered(messageOf(good).body) })],
      [
        "a body that was parsed and written again",
        () => ({ ...messageOf(good), body: new TextEncoder().encode(JSON.stringify(good)) }),
      ],
      ["an empty body", () => ({ ...messageOf(good), body: new Uint8Array() })],
      ["a signature of five minutes and a second ago", () => messageOf(good, secret, now() - 301)],
      [
        "an old signature with a new time",
        () => {
          const { headers, body } = messageOf(good, secret, now() - 3_600)
          return { headers: { "stripe-signature": headers["stripe-signature"].replace(/t=\d+/, `t=${now()}`) }, body }
        },
      ],
    ]

  it.live.each(forged)("is refused, and the header is named: %s", ([, message]) =>
    Effect.gen(function* () {
      const { proof } = yield* providerOf(host)
      const { headers, body } = message()
      const failure = yield* Effect.flip(proof(headers, body))
      assert.deepStrictEqual([failure.code, failure.status], ["invalid_request_body", 400])
      assert.strictEqual(failure.hints?.[0]?.field, "Stripe-Signature")
      assert.notInclude(JSON.stringify(failure) + String(failure.cause), secret)
    }),
  )

  it.live("counts at the age of almost five minutes, and with the former secret", () =>
    Effect.gen(function* () {
      const { proof } = yield* providerOf(host)
      for (const { headers, body } of [messageOf(good, secret, now() - 298), messageOf(good, formerSecret)]) {
        assert.strictEqual((yield* proof(headers, body)).length, 1)
      }
    }),
  )

  for (const [key, livemode] of [
    ["sk_test_1", true],
    ["rk_test_1", true],
    ["sk_live_1", false],
    ["rk_live_1", false],
  ] as const) {
    it.live(`is refused with a key ${key} if it is of the ${livemode ? "live" : "test"} mode`, () =>
      Effect.gen(function* () {
        const { proof } = yield* providerOf({ url: host.url, key })
        const of = (mode: boolean) => messageOf(event(completed, { ...session, livemode: mode }, { livemode: mode }))
        const wrong = of(livemode)
        const failure = yield* Effect.flip(proof(wrong.headers, wrong.body))
        assert.deepStrictEqual([failure.code, failure.hints?.[0]?.field], ["invalid_request_body", "livemode"])
        const right = of(!livemode)
        assert.strictEqual((yield* proof(right.headers, right.body)).length, 1)
      }),
    )
  }
})

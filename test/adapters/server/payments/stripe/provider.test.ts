// Proof: takes five seconds or more.
import { readFileSync } from "node:fs"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Stripe from "stripe"
import { afterAll } from "vitest"
import { apiVersion } from "../../../../../adapters/server/payments/stripe/client.ts"
import * as provider from "../../../../../adapters/server/payments/stripe/provider.ts"
import type { Failure } from "../../../../../core/Failure.ts"
import type { ApiState } from "../../../../support/stripe/api.ts"
import { stripeHost } from "../../../../support/stripe/host.ts"
import { back, messageOf, newOrder, providerOf, secret, settingsOf } from "../../../../support/stripe/provider.ts"

const host = await stripeHost()
afterAll(host.stop)
beforeEach(() => {
  host.calm()
  host.requests.length = 0
})

/** All that a failure says, to callers and to the log. */
const textOf = (failure: Failure): string =>
  [failure.message, JSON.stringify(failure), String(failure.cause), (failure.cause as Error | undefined)?.stack].join(
    " ",
  )

const opened = (reference: string) => ({ kind: "opened" as const, reference })

describe("a page of Stripe's", () => {
  it.live("is asked for with the order's amount and id, and nothing else", () =>
    Effect.gen(function* () {
      const order = newOrder(12_340_000)
      const { begin, origin, provider: name, label } = yield* providerOf(host)
      assert.deepStrictEqual([name, label, origin], ["stripe", "Card", host.url])
      const fact = yield* begin(order, back)
      assert.strictEqual(host.requests.length, 1)
      const [{ method, url, headers, form }] = host.requests as [(typeof host.requests)[number]]
      assert.deepStrictEqual([method, url], ["POST", "/v1/checkout/sessions"])
      assert.strictEqual(headers.authorization, `Bearer ${host.key}`)
      assert.strictEqual(headers["idempotency-key"], `order-${order.id}`)
      assert.strictEqual(headers["stripe-version"], apiVersion)
      assert.isUndefined(headers["x-stripe-client-telemetry"])
      const endsAt = Math.floor(order.createdAt / 1_000) + 12 * 3_600
      assert.deepStrictEqual(form, {
        mode: "payment",
        line_items: {
          "0": {
            quantity: "1",
            price_data: { currency: "usd", unit_amount: "1234", product_data: { name: "Wallet credit" } },
          },
        },
        client_reference_id: order.id,
        metadata: { order: order.id },
        payment_intent_data: { metadata: { order: order.id }, description: `Wallet credit ${order.id}` },
        adaptive_pricing: { enabled: "false" },
        success_url: back.paid,
        cancel_url: back.cancelled,
        expires_at: String(endsAt),
      })
      assert.match(fact.reference, /^cs_test_/)
      assert.match(fact.url, new RegExp(`^${host.url}/c/pay/${fact.reference}#`))
      assert.deepStrictEqual([fact.kind, fact.endsAt], ["opened", endsAt * 1_000])
    }),
  )

  it.live("is one for an order, however often and by whomever it is opened", () =>
    Effect.gen(function* () {
      const order = newOrder()
      const [one, other] = [yield* providerOf(host), yield* providerOf(host)]
      const facts = yield* Effect.all(
        [one, other, one, other].map(({ begin }) => begin(order, back)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(new Set(facts.map((fact) => JSON.stringify(fact))).size, 1)
      assert.notStrictEqual((yield* one.begin(newOrder(), back)).reference, facts[0]!.reference)
    }),
  )

  it.live("is one for an order when the first answer is lost", () =>
    Effect.gen(function* () {
      const order = newOrder()
      const { begin } = yield* providerOf(host)
      host.switch({ api: "lost" })
      const fact = yield* begin(order, back)
      assert.strictEqual(host.requests.length, 2)
      assert.strictEqual(host.standings()[order.id]?.session, fact.reference)
      assert.strictEqual(Object.values(host.standings()).filter(({ session }) => session === fact.reference).length, 1)
    }),
  )

  it.live("is refused for fractions of a cent, and for an order whose page has expired", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf(host)
      const fraction = yield* Effect.flip(begin(newOrder(5_000_001), back))
      assert.deepStrictEqual([fraction.code, host.requests.length], ["invalid_parameter", 0])
      assert.include(fraction.message, "5000001")
      const old = yield* Effect.flip(begin(newOrder(5_000_000, Date.now() - 12 * 3_600_000 - 1), back))
      assert.deepStrictEqual([old.code, host.requests.length], ["invalid_parameter", 0])
    }),
  )

  it.live("that Stripe would not open is an error of ours, with Stripe's reason in the log", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf(host)
      const failure = yield* Effect.flip(begin(newOrder(400_000), back))
      assert.strictEqual(failure.code, "internal_error")
      assert.match(String(failure.cause), /StripeInvalidRequestError, status 400.*Invalid amount/)
      assert.notInclude(failure.message, "Invalid amount")
    }),
  )

  it.live("that is elsewhere than expected is an error: the browser would not be let there", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf({ ...host, url: host.url.replace("127.0.0.1", "localhost") })
      const order = newOrder()
      const failure = yield* Effect.flip(begin(order, back))
      assert.strictEqual(failure.code, "internal_error")
      assert.include(
        String(failure.cause),
        `${order.id}, 500, usd, false, ${host.url} instead of ${order.id}, 500, usd, false, http://localhost:`,
      )
    }),
  )

  it.live("with other addresses for the same order is an error, not another page", () =>
    Effect.gen(function* () {
      const order = newOrder()
      const { begin } = yield* providerOf(host)
      yield* begin(order, back)
      const failure = yield* Effect.flip(begin(order, { ...back, paid: "http://127.0.0.1:1/elsewhere" }))
      assert.strictEqual(failure.code, "internal_error")
      assert.include(String(failure.cause), "StripeIdempotencyError")
    }),
  )
})

describe("the API of Stripe's", () => {
  const troubles: ReadonlyArray<readonly [ApiState, Failure["code"]]> = [
    ["down", "upstream_unavailable"],
    ["reset", "upstream_unavailable"],
    ["limited", "upstream_unavailable"],
    ["hanging", "upstream_unavailable"],
    ["trickling", "upstream_unavailable"],
    ["html", "upstream_unavailable"],
    ["text", "upstream_unavailable"],
    ["null", "upstream_unavailable"],
    ["cut", "upstream_unavailable"],
    ["empty", "internal_error"],
  ]

  it.live.each(troubles)("in trouble (%s) is %s, after a bounded time", ([api, code]) =>
    Effect.gen(function* () {
      const order = newOrder()
      const { begin, look, proof } = yield* providerOf(host)
      const { reference } = yield* begin(order, back)
      host.act("pay", order.id)
      host.act("dispute", order.id)
      const { headers, body } = messageOf(host.events.findLast(({ type }) => type === "charge.dispute.created"))
      host.switch({ api })
      const started = performance.now()
      const failures = yield* Effect.all(
        [begin(newOrder(), back), look(order, opened(reference)), proof(headers, body)].map((each) =>
          // As a route runs it, which nothing interrupts.
          Effect.uninterruptible(Effect.flip(each as Effect.Effect<unknown, Failure>)),
        ),
        { concurrency: "unbounded" },
      )
      assert.isBelow(performance.now() - started, 3_000)
      for (const failure of failures) {
        assert.strictEqual(failure.code, code)
        assert.isDefined(failure.cause)
        assert.notInclude(textOf(failure), host.key)
        // One answer's time, before the time for all is over.
        if (api === "hanging") assert.match(String(failure.cause), /timeout being reached \(250ms\)/)
        if (api === "trickling") assert.match(String(failure.cause), /took more than 1500 ms/)
      }
      host.calm()
      assert.strictEqual((yield* proof(headers, body)).length, 1)
    }),
  )

  it.live("that trickles has a bounded time in a request that cannot be interrupted too", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf(host)
      host.switch({ api: "trickling" })
      const failure = yield* Effect.flip(Effect.uninterruptible(begin(newOrder(), back)))
      assert.match(String(failure.cause), /took more than 1500 ms/)
    }),
  )

  it.live("that nobody answers is unavailable", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.promise(() => stripeHost())
      gone.stop()
      const { begin } = yield* providerOf(gone)
      const failure = yield* Effect.flip(begin(newOrder(), back))
      assert.strictEqual(failure.code, "upstream_unavailable")
      assert.include(String(failure.cause), "ECONNREFUSED")
    }),
  )

  it.live("that repeats a wrong key in its error does not bring it into ours", () =>
    Effect.gen(function* () {
      const key = "sk_test_ofAnotherAccount"
      const { begin, look } = yield* providerOf({ url: host.url, key })
      for (const asked of [begin(newOrder(), back), look(newOrder(), opened("cs_test_1"))]) {
        const failure = yield* Effect.flip(asked as Effect.Effect<unknown, Failure>)
        assert.strictEqual(failure.code, "internal_error")
        assert.include(String(failure.cause), "Invalid API Key provided: [hidden]")
        for (const each of [key, secret]) assert.notInclude(textOf(failure), each)
      }
      assert.isFalse(host.requests.some(({ url }) => url.includes("sk_test")))
    }),
  )
})

describe("the books of Stripe's", () => {
  it.live("of a session of another order are an error", () =>
    Effect.gen(function* () {
      const { begin, look } = yield* providerOf(host)
      const paid = newOrder()
      const { reference } = yield* begin(paid, back)
      host.act("pay", paid.id)
      const failure = yield* Effect.flip(look(newOrder(), opened(reference)))
      assert.strictEqual(failure.code, "internal_error")
      assert.include(String(failure.cause), "is not of the order")
    }),
  )

  it.live("are asked in two requests at most", () =>
    Effect.gen(function* () {
      const { begin, look } = yield* providerOf(host)
      const order = newOrder()
      const { reference } = yield* begin(order, back)
      assert.deepStrictEqual(yield* look(order, opened(reference)), [])
      host.act("pay", order.id)
      host.act("refund", order.id, 120)
      host.act("dispute", order.id, 380)
      host.requests.length = 0
      const facts = yield* look(order, opened(reference))
      assert.deepStrictEqual(
        host.requests.map(({ method, url }) => `${method} ${url.replace(/\w+_\w{24,}/g, "ID")}`),
        [
          "GET /v1/checkout/sessions/ID?expand[0]=payment_intent.latest_charge",
          "GET /v1/disputes?payment_intent=ID&limit=100",
        ],
      )
      assert.deepStrictEqual(
        facts.map((fact) => [fact.kind, "amount" in fact ? fact.amount.micros : undefined]),
        [
          ["paid", 5_000_000],
          ["refunded", 1_200_000],
          ["disputed", 3_800_000],
        ],
      )
    }),
  )
})

describe("the package stripe", () => {
  it.live("that is missing is named, with the line that installs it", () =>
    Effect.gen(function* () {
      const load = () => Promise.reject(new Error("Cannot find package 'stripe'"))
      const missing = yield* Effect.flip(provider.make(settingsOf(host), { load }))
      assert.match(missing.message, /package stripe.*: Cannot find package 'stripe'\. .*npm install stripe@\d/)
    }),
  )

  it("has the version that is asked for, and its version of the API", () => {
    const file = readFileSync(new URL("../../../../../package.json", import.meta.url), "utf8")
    const { stripe } = JSON.parse(file).peerDependencies
    assert.strictEqual(Stripe.PACKAGE_VERSION, stripe)
    assert.strictEqual(Stripe.API_VERSION, apiVersion)
    const client = readFileSync(
      new URL("../../../../../adapters/server/payments/stripe/client.ts", import.meta.url),
      "utf8",
    )
    assert.include(client, `"${stripe}"`)
  })
})

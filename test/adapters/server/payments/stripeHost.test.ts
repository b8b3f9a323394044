import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import type { Proof } from "../../../../core/payment/TopUp.ts"
import * as processes from "../../../support/processes.ts"
import { answering, ok, receiver } from "../../../support/receiver.ts"
import { stripeHost, testKey } from "../../../support/stripe/host.ts"
import { back, newOrder, providerOf, secret } from "../../../support/stripe/provider.ts"

const inbox = await receiver()
const host = await stripeHost({ endpoint: { url: `${inbox.url}/payments/stripe`, secret } })
afterAll(() => {
  host.stop()
  return inbox.stop()
})

const post = (url: string, body: string, type = "application/x-www-form-urlencoded") =>
  fetch(url, { method: "POST", body, headers: { "content-type": type }, redirect: "manual" })

describe("the double of Stripe", () => {
  it.live("has a page on which people pay, now, later or not", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf(host)
      const order = newOrder(12_340_000)
      const { url } = yield* begin(order, back)
      yield* Effect.promise(async () => {
        const html = await (await fetch(url)).text()
        assert.include(html, "Pay 12.34 USD")
        assert.include(html, `href="${back.cancelled}"`)
        const declined = await post(url, "act=decline")
        assert.deepStrictEqual(
          [declined.status, (await declined.text()).includes("Your card was declined.")],
          [200, true],
        )
        const paid = await post(url, "act=pay")
        assert.deepStrictEqual([paid.status, paid.headers.get("location")], [303, back.paid])
        assert.notInclude(await (await fetch(url)).text(), "<form")
        // The button again, from a second window.
        await post(url, "act=pay")
        assert.deepInclude(host.standings()[order.id], { asked: 1_234, paid: 1_234, refunded: 0, disputed: 0 })
        await host.idle()
      })
    }),
  )

  it.live(
    "sends its messages as Stripe does: signed anew, more than once, in any order, and again after an error",
    () =>
      Effect.gen(function* () {
        const { begin, proof } = yield* providerOf(host)
        const order = newOrder()
        yield* begin(order, back)
        inbox.received.length = 0
        host.switch({ copies: 3, shuffle: true, deliveryMs: 30, retryMs: 5 })
        inbox.answers((_, response, request) =>
          inbox.received.length % 2 === 1 ? answering(503)(_, response, request) : ok(_, response, request),
        )
        host.act("pay", order.id)
        host.act("refund", order.id, 100)
        const types = [
          "payment_intent.succeeded",
          "charge.succeeded",
          "checkout.session.completed",
          "charge.refunded",
          "refund.created",
        ]
        yield* Effect.promise(host.idle)
        const counts = new Map<string, number>()
        const proofs: Array<Proof> = []
        for (const { body, headers, path } of inbox.received) {
          assert.strictEqual(path, "/payments/stripe")
          const { type } = JSON.parse(body)
          counts.set(type, (counts.get(type) ?? 0) + 1)
          proofs.push(...(yield* proof({ "stripe-signature": String(headers["stripe-signature"]) }, Buffer.from(body))))
        }
        assert.sameMembers([...counts.keys()], types)
        for (const [type, count] of counts) assert.isAtLeast(count, 3, type)
        assert.isAbove(inbox.received.length, 3 * types.length)
        assert.deepStrictEqual(
          [...new Set(proofs.map(({ orderId, fact }) => `${orderId === order.id} ${fact.kind}`))].sort(),
          ["true paid", "true refunded"],
        )
        host.calm()
        inbox.answers(ok)
      }),
  )

  it.live("keeps its messages until they are released", () =>
    Effect.gen(function* () {
      const { begin } = yield* providerOf(host)
      const order = newOrder()
      yield* begin(order, back)
      inbox.received.length = 0
      host.switch({ deliver: false })
      host.act("expire", order.id)
      yield* Effect.promise(host.idle)
      assert.strictEqual(inbox.received.length, 0)
      host.calm()
      host.release()
      yield* Effect.promise(host.idle)
      assert.deepStrictEqual(
        inbox.received.map(({ body }) => JSON.parse(body).type),
        ["checkout.session.expired"],
      )
    }),
  )

  it.live("runs as a program of its own, whose books another program reads", () =>
    Effect.gen(function* () {
      const child = processes.start("test/support/stripe/program.ts", [], { STRIPE_SECRET_KEY: testKey })
      const [url] = yield* Effect.promise(() => child.linesUntil(1))
      const { begin, look } = yield* providerOf({ url: url!, key: testKey })
      const order = newOrder()
      const opened = yield* begin(order, back)
      inbox.received.length = 0
      yield* Effect.promise(async () => {
        const json = (path: string, body: object) =>
          post(`${url}/double/${path}`, JSON.stringify(body), "application/json")
        await json("endpoint", { url: inbox.url, secret })
        await json("switches", { copies: 2 })
        await post(opened.url, "act=pay")
        assert.strictEqual((await json("act", { act: "dispute", order: order.id, cents: 200 })).status, 200)
        assert.strictEqual((await json("act", { act: "settle", order: order.id })).status, 400)
        await inbox.until((all) => all.length >= 2 * 5)
        const books = await (await fetch(`${url}/double/books`)).json()
        assert.deepInclude(books.orders[order.id], { asked: 500, paid: 500, refunded: 0, disputed: 200 })
      })
      assert.deepStrictEqual(
        (yield* look(order, opened)).map(({ kind }) => kind),
        ["paid", "disputed"],
      )
      child.process.kill()
      yield* Effect.promise(() => child.ended)
    }),
  )
})

// Proof: takes five seconds or more.
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { perform } from "../../../../adapters/admin/AdminOperation.ts"
import { orderVerbs } from "../../../../adapters/admin/orderVerbs.ts"
import { maxRefusedPerMinute } from "../../../../adapters/server/http/payments.ts"
import { Payments } from "../../../../core/payment/Payments.ts"
import { clockAt } from "../../../support/clock.ts"
import { start } from "../../../support/running.ts"
import { messageOf, secret } from "../../../support/stripe/provider.ts"
import { type TakingPayments, takingPayments } from "../../../support/stripe/running.ts"

const log: Array<string> = []
const answers: Array<string> = []
const clock = clockAt(Date.now())
let service: TakingPayments

beforeAll(async () => {
  service = await takingPayments({ log, clock })
}, 120_000)
afterAll(() => service.stop())
// The limit of an address is as new for each test.
afterEach(() => {
  clock.set(clock.unsafeCurrentTimeMillis() + 61_000)
  service.host.calm()
})

const path = "/payments/stripe"

/** Sends something to the service; the text of each answer is kept. */
const send = async (body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}, to = path) => {
  const response = await fetch(service.running.url + to, { method: "POST", body: Buffer.from(body), headers })
  const text = await response.text()
  answers.push(text)
  return { status: response.status, headers: response.headers, json: JSON.parse(text) }
}

const begin = async (micros = 5_000_000): Promise<string> =>
  (await service.running.run(perform(orderVerbs.ordersBegin, { account: "tester", micros }))).id

const order = (id: string) => service.running.run(Effect.flatMap(Payments, ({ find }) => find(id)))

/** Every line of orders, facts, journal and wallets. */
const books = () =>
  service.running.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.all([
        sql`SELECT * FROM orders ORDER BY id`,
        sql`SELECT * FROM order_facts ORDER BY seq`,
        sql`SELECT * FROM postings ORDER BY id`,
        sql`SELECT * FROM wallets ORDER BY account_id`,
      ]),
    ),
  )

/** The message that an order was paid, as the double made it; it sends nothing itself. */
const paidMessage = async () => {
  service.host.switch({ deliver: false })
  const id = await begin()
  service.host.act("pay", id)
  const event = service.host.events.findLast(({ type }) => type === "checkout.session.completed")!
  const seconds = () => Math.floor(clock.unsafeCurrentTimeMillis() / 1_000)
  const signed = (key?: string) => {
    const { headers, body } = messageOf(event, key, seconds())
    return { headers: { ...headers, "content-type": "application/json" }, body }
  }
  return { id, event, signed }
}

describe("the route of a provider's messages", () => {
  it("credits an order for a genuine message, and answers each duplicate with 200 and nothing more", async () => {
    const { id, signed } = await paidMessage()
    const { headers, body } = signed()
    const first = await send(body, headers)
    assert.deepStrictEqual([first.status, first.json], [200, { orders: [{ id, state: "paid" }] }])
    const after = await books()
    for (let n = 0; n < 5; n++) assert.deepStrictEqual((await send(body, headers)).json, first.json)
    const all = await Promise.all(Array.from({ length: 20 }, () => send(body, signed().headers)))
    assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [200])
    assert.deepStrictEqual(await books(), after)
    assert.strictEqual((await order(id))!.creditedMicros, 5_000_000)
  })

  it("answers 200 to a genuine message about nothing of ours, so that it is not repeated", async () => {
    const { event, signed } = await paidMessage()
    const before = await books()
    const seconds = Math.floor(clock.unsafeCurrentTimeMillis() / 1_000)
    for (const other of [
      { ...event, type: "invoice.paid" },
      { ...event, data: { object: { ...(event.data.object as object), metadata: {} } } },
    ]) {
      const { headers, body } = messageOf(other, secret, seconds)
      assert.deepStrictEqual((await send(body, headers)).json, { orders: [] })
    }
    assert.deepStrictEqual(await books(), before)
    const { headers, body } = signed()
    assert.strictEqual((await send(body, headers)).status, 200)
  })

  it("refuses with 400 what is not signed, or signed for something else, and writes nothing", async () => {
    const { signed } = await paidMessage()
    const { headers, body } = signed()
    const before = await books()
    const changed = Buffer.from(Buffer.from(body).toString().replace("500", "5000"))
    const old = messageOf(JSON.parse(Buffer.from(body).toString()), secret, 1_000)
    for (const [name, sent, sentHeaders] of [
      ["no signature", body, {}],
      ["another secret", body, signed("whsec_another").headers],
      ["another body", changed, headers],
      ["written again", JSON.stringify(JSON.parse(Buffer.from(body).toString())), headers],
      ["old", old.body, old.headers],
      ["no version", body, { "stripe-signature": headers["stripe-signature"].replace("v1=", "v0=") }],
      ["empty", "", headers],
      ["not UTF-8", Uint8Array.of(0xff, 0xfe), headers],
    ] as const) {
      const { status, json } = await send(sent, sentHeaders)
      assert.deepStrictEqual([status, json.error.code], [400, "invalid_request_body"], name)
    }
    assert.deepStrictEqual(await books(), before)
    assert.strictEqual((await send(body, headers)).status, 200)
  })

  it("refuses a body that is too large with 413, and answers the next request", async () => {
    for (const size of [65_537, 10_000_000]) {
      const { status, json } = await send(Buffer.alloc(size, "a"))
      assert.deepStrictEqual([status, json.error.code], [413, "payload_too_large"])
    }
    const { signed } = await paidMessage()
    const { headers, body } = signed()
    assert.strictEqual((await send(body, headers)).status, 200)
  })

  it("is for POST alone", async () => {
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
      const response = await fetch(service.running.url + path, { method })
      assert.deepStrictEqual([response.status, response.headers.get("allow")], [405, "POST, OPTIONS"], method)
    }
  })

  it.each(["/payments/paypal", "/payments", "/payments/stripe/", "/payments/Stripe"])(
    "is not at %s: 404",
    async (to) => {
      const { status, json } = await send("{}", {}, to)
      assert.deepStrictEqual([status, json.error.code], [404, "not_found"])
    },
  )

  it("takes a burst of 1,500 genuine messages of one address", async () => {
    const { id, signed } = await paidMessage()
    const statuses = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 15 }, async () => {
        for (let n = 0; n < 100; n++) {
          const { headers, body } = signed()
          const { status } = await send(body, headers)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    assert.deepStrictEqual([...statuses], [[200, 1_500]])
    assert.strictEqual((await order(id))!.creditedMicros, 5_000_000)
  })

  it("reads nothing more of an address that has sent too much that was refused, for some seconds", async () => {
    for (let n = 0; n < maxRefusedPerMinute; n++) assert.strictEqual((await send("{}")).status, 400)
    const { id, signed } = await paidMessage()
    const { headers, body } = signed()
    const late = await send(body, headers)
    assert.deepStrictEqual([late.status, late.json.error.code], [429, "rate_limit_exceeded"])
    assert.strictEqual(late.headers.get("retry-after"), "1")
    assert.strictEqual((await order(id))!.creditedMicros, 0)
    // The provider repeats it, and other requests of the address have their own limit.
    assert.strictEqual((await fetch(`${service.running.url}/docs`)).status, 200)
    clock.set(clock.unsafeCurrentTimeMillis() + 1_100)
    assert.strictEqual((await send(body, headers)).status, 200)
    assert.strictEqual((await order(id))!.creditedMicros, 5_000_000)
  })

  it("does not count a message that the provider's own trouble keeps from being read", async () => {
    service.host.switch({ deliver: false })
    const id = await begin()
    service.host.act("pay", id)
    service.host.act("refund", id, 100)
    const event = service.host.events.findLast(({ type }) => type === "refund.created")!
    service.host.switch({ api: "reset" })
    const message = () => messageOf(event, secret, Math.floor(clock.unsafeCurrentTimeMillis() / 1_000))
    for (let n = 0; n <= 3; n++) {
      const { headers, body } = message()
      assert.strictEqual((await send(body, headers)).status, 503)
    }
    service.host.switch({ api: "up" })
    const { headers, body } = message()
    assert.deepStrictEqual((await send(body, headers)).json, { orders: [{ id, state: "open" }] })
  })

  it("is at no path where no provider is configured", async () => {
    const bare = await start()
    try {
      assert.strictEqual((await fetch(bare.url + path, { method: "POST", body: "{}" })).status, 404)
    } finally {
      await bare.stop()
    }
  })

  it("has said neither key nor secret in any answer or line of the log", () => {
    const said = [...answers, ...log].join("\n")
    assert.isAbove(log.length, 0)
    for (const hidden of [service.host.key, secret, "sk_test", "whsec_"]) assert.notInclude(said, hidden)
  })
})

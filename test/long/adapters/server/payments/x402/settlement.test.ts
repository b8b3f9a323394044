// Proof: takes about ten seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { decodePaymentResponseHeader } from "@x402/core/http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { CallPayments } from "../../../../../../core/payment/CallPayment.ts"
import { orderStatus } from "../../../../../../core/payment/Order.ts"
import { limits, offered, openedOf, orderOf, payments, refusedBy, told } from "../../../../chain/paying.ts"
import { promised, type Till, till } from "../../../../chain/till.ts"
import { seconds } from "../../../../chain/world.ts"

let shop: Till

beforeAll(async () => {
  shop = await till()
})
afterAll(() => shop.stop())

describe("a payment is taken", () => {
  it.live("and the same facts are seen later", () =>
    Effect.gen(function* () {
      const before = yield* shop.received
      const { offer, order, payer, look } = yield* shop.given()
      assert.deepStrictEqual(yield* look, [])
      const { fact, receipt } = yield* offer.take(order)
      assert.strictEqual((yield* shop.received) - before, 1_000n)
      const { transaction, ...rest } = decodePaymentResponseHeader(receipt)
      assert.deepStrictEqual<unknown>(rest, {
        success: true,
        network: "eip155:31337",
        payer: payer.address.toLowerCase(),
        amount: "1000",
      })
      assert.deepStrictEqual(fact, {
        kind: "paid",
        reference: `eip155:31337:${transaction}:0`,
        amount: { micros: 1_000, currency: "usd" },
      })
      assert.deepStrictEqual(yield* look, [fact])
      assert.strictEqual(
        yield* refusedBy(offer.take(order).pipe(Effect.map(({ fact }) => fact))),
        "no failure",
        "a second try sees the first",
      )
      assert.strictEqual((yield* shop.received) - before, 1_000n)
    }),
  )

  it.live("eight at once, each in a transaction of its own", () =>
    Effect.gen(function* () {
      const before = yield* shop.received
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => shop.given()),
        { concurrency: 4 },
      )
      shop.node.calls.length = 0
      const taken = yield* Effect.all(
        all.map(({ offer, order }) => offer.take(order)),
        { concurrency: 8 },
      )
      assert.strictEqual(new Set(taken.map(({ fact }) => fact.reference)).size, 8)
      assert.strictEqual(shop.sent(), 8)
      assert.strictEqual((yield* shop.received) - before, 8_000n)
      const looked = yield* Effect.all(all.map(({ look }) => look))
      assert.deepStrictEqual(
        looked,
        taken.map(({ fact }) => [fact]),
      )
    }),
  )

  it.live("also when somebody else sends what the payer signed", () =>
    Effect.gen(function* () {
      const { offer, order, signed, look } = yield* shop.given()
      yield* promised(() =>
        shop.on.call("Token", shop.on.token, "transferWithAuthorization", shop.on.transferOf(signed)),
      )
      const { fact } = yield* offer.take(order)
      assert.deepStrictEqual(yield* look, [fact])
    }),
  )

  it.live("after its confirmations, and not before", () =>
    Effect.gen(function* () {
      const patient = yield* promised(() => payments(shop.on, { confirmations: 3 }))
      const { offer, order, look } = yield* shop.given(patient)
      const taking = yield* Effect.fork(offer.take(order))
      const early = yield* Effect.sleep(400).pipe(Effect.zipRight(Fiber.poll(taking)))
      assert.strictEqual(early._tag, "None")
      assert.deepStrictEqual(yield* look, [])
      yield* promised(() => shop.on.rpc("anvil_mine", "0x2"))
      const { fact } = yield* Fiber.join(taking)
      assert.deepStrictEqual(yield* look, [fact])
    }),
  )

  it.live("when the chain is slow: it is not confirmed at first, and found later", () =>
    Effect.gen(function* () {
      const { offer, order, look } = yield* shop.given()
      const failure = yield* shop.slow(
        Effect.gen(function* () {
          const began = performance.now()
          const found = yield* Effect.flip(offer.take(order))
          assert.isBelow(performance.now() - began, limits.take + 500)
          assert.deepStrictEqual(yield* look, [])
          return found
        }),
      )
      assert.strictEqual(told(failure), "payment_unconfirmed PAYMENT-SIGNATURE")
      assert.deepStrictEqual(
        (yield* look).map(({ kind }) => kind),
        ["paid"],
      )
    }),
  )
})

describe("an order is looked up", () => {
  const kinds = (look: ReturnType<CallPayments["look"]>) =>
    Effect.map(look, (facts) => facts.map((fact) => (fact.kind === "ended" ? fact.detail : fact.kind)))

  it.live("as ended when the payer cancelled", () =>
    Effect.gen(function* () {
      const { offer, order, payer, signed, look } = yield* shop.given()
      yield* promised(() => shop.on.cancel(payer, signed))
      assert.deepStrictEqual(yield* kinds(look), ["The payer cancelled the signed payment."])
      assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_replayed payload.authorization.nonce")
      assert.strictEqual(orderStatus(order, yield* look).state, "ended")
    }),
  )

  it.live("as ended when the nonces paid somebody else, whatever else the transaction pays us", () =>
    Effect.gen(function* () {
      const payer = yield* promised(() => shop.on.payer(9_000n))
      const thief = "0x00000000000000000000000000000000000000aa" as const
      const [one, other, third] = yield* Effect.all([1, 2, 3].map(() => promised(() => shop.on.sign(payer, 1_000n))))
      const offers = yield* Effect.all([one!, other!].map((each) => offered(shop.adapter, each, 1_000)))
      const redirected = yield* Effect.all(
        [one!, other!].map(({ authorization: { nonce } }) =>
          promised(() => shop.on.sign(payer, 1_000n, { nonce, to: thief })),
        ),
      )
      const batch = yield* promised(() => shop.on.deploy("Batch"))
      yield* promised(() =>
        shop.on.call("Batch", batch, "run", [shop.on.token, [...redirected, third!].map(shop.on.dataOf)]),
      )
      for (const offer of offers) {
        const order = orderOf(1_000)
        assert.deepStrictEqual(yield* kinds(shop.adapter.look(order, openedOf(offer))), [
          `The payer used the payment's nonce for a transfer to ${thief}.`,
        ])
        assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_replayed payload.authorization.nonce")
      }
    }),
  )

  it.live("as paid with the amount that came, when the payer sent another one", () =>
    Effect.gen(function* () {
      const { order, payer, signed, look } = yield* shop.given()
      const less = yield* promised(() => shop.on.sign(payer, 10n, { nonce: signed.authorization.nonce }))
      yield* promised(() => shop.on.call("Token", shop.on.token, "transferWithAuthorization", shop.on.transferOf(less)))
      const facts = yield* look
      assert.deepStrictEqual(
        facts.map((fact) => "amount" in fact && fact.amount.micros),
        [10],
      )
      assert.strictEqual(orderStatus(order, facts).state, "mismatched")
    }),
  )

  it.live("not at all on a network that is not configured", () =>
    Effect.gen(function* () {
      const { order, offer } = yield* shop.given()
      const opened = openedOf({ ...offer, reference: offer.reference.replace(":31337:", ":8453:") })
      assert.strictEqual(yield* refusedBy(shop.adapter.look(order, opened)), "upstream_unavailable")
    }),
  )

  it.scopedLive("again when it is deep in the chain: what other blocks replaced is taken back", () =>
    Effect.gen(function* () {
      // It replaces blocks, and moves the chain's time ahead.
      const shop = yield* Effect.acquireRelease(promised(till), ({ stop }) => Effect.promise(stop))
      const rpc = (method: string, ...params: ReadonlyArray<unknown>) => promised(() => shop.on.rpc(method, ...params))
      const until = seconds() + 300
      const { offer, order } = yield* shop.given(shop.adapter, { validBefore: String(until) })
      const later = shop.adapter.look({ ...order, state: "paid" }, openedOf(offer))
      const before = yield* rpc("evm_snapshot")
      const { fact } = yield* offer.take(order)
      yield* rpc("anvil_mine", "0x3a")
      assert.deepStrictEqual(yield* later, [], "59 confirmations")
      yield* rpc("anvil_mine", "0x1")
      assert.deepStrictEqual(yield* later, [fact], "60 confirmations")
      yield* rpc("evm_revert", before)
      yield* rpc("anvil_mine", "0x3c")
      assert.deepStrictEqual(yield* later, [], "it may still come")
      yield* rpc("evm_setNextBlockTimestamp", until)
      yield* rpc("anvil_mine", "0x3c")
      const facts = [fact, ...(yield* later)]
      assert.deepStrictEqual(
        facts.map(({ kind }) => kind),
        ["paid", "ended", "disputed"],
      )
      assert.deepStrictEqual(orderStatus(order, facts), { state: "returned", returned: order.micros })
    }),
  )

  // The last of this file: it moves the chain's time ahead.
  it.live("far behind the newest block, in pieces that public nodes allow, and unused ones end", () =>
    Effect.gen(function* () {
      const until = { validBefore: String(seconds() + 3_500) }
      const { offer, order, look } = yield* shop.given(shop.adapter, until)
      const unused = yield* shop.given(shop.adapter, until)
      const mine = (blocks: number, interval: number) =>
        promised(() => shop.on.rpc("anvil_mine", `0x${blocks.toString(16)}`, `0x${interval.toString(16)}`))
      yield* mine(1_100, 1)
      const { fact } = yield* offer.take(order)
      yield* mine(1_050, 1)
      const end = Number(until.validBefore)
      const mineAt = (second: number) =>
        promised(async () => [await shop.on.rpc("evm_setNextBlockTimestamp", second), await shop.on.rpc("evm_mine")])
      yield* mineAt(end - 1)
      assert.deepStrictEqual(yield* unused.look, [])
      yield* mineAt(end)
      const ended = {
        kind: "ended",
        reference: unused.offer.reference,
        detail: "The signed payment expired before it was sent.",
      }
      assert.deepStrictEqual<unknown>(yield* unused.look, [ended])
      /** The blocks whose events are asked for. */
      const ranges = () =>
        shop.node.calls.flatMap(({ method, params: [filter] }) => {
          const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock: string; toBlock: string }
          return method === "eth_getLogs" ? [Number(toBlock) - Number(fromBlock) + 1] : []
        })
      for (const [laterMs, pieces] of [
        [0, 3],
        [1_500_000, 2],
      ] as const) {
        shop.node.calls.length = 0
        const later = { ...order, createdAt: order.createdAt + laterMs }
        assert.deepStrictEqual(yield* laterMs === 0 ? look : shop.adapter.look(later, openedOf(offer)), [fact])
        assert.strictEqual(ranges().length, pieces, ranges().join())
        assert.isTrue(ranges().every((blocks) => blocks <= 1_000))
        assert.isBelow(shop.node.calls.length, 40)
      }
    }),
  )
})

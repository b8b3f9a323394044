import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { decodePaymentResponseHeader } from "@x402/core/http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { encodeFunctionData } from "viem"
import type { CallPayments } from "../../../../core/payment/CallPayment.ts"
import { standing } from "../../../../core/payment/Order.ts"
import { limits, offered, openedOf, orderOf, payments, refusedBy, told } from "../../../support/chain/paying.ts"
import { type Call, type Fate, proxy } from "../../../support/chain/proxy.ts"
import { seconds, type World, world } from "../../../support/chain/world.ts"

let on: World
let node: Awaited<ReturnType<typeof proxy>>
/** Behind a node that can fail. */
let adapter: CallPayments

beforeAll(async () => {
  on = await world()
  node = await proxy(on.url)
  adapter = await payments(on, { rpcUrl: Redacted.make(`${node.url}/v2/s3cret`) })
})
afterAll(async () => {
  node.stop()
  await on.stop()
})

const promised = <A>(work: () => Promise<A>) => Effect.promise(work)
const received = () => promised(() => on.balance(on.payTo))

/** A payment of 1,000 units that is read and not taken, its order, and the payer. */
const given = (by = adapter, changed: Parameters<World["sign"]>[2] = {}, units = 1_000n) =>
  Effect.gen(function* () {
    const payer = yield* promised(() => on.payer(units))
    const signed = yield* promised(() => on.sign(payer, units, changed))
    const offer = yield* offered(by, signed, Number(units))
    const order = orderOf(Number(units))
    return { payer, signed, offer, order, look: by.look(order, openedOf(offer)) }
  })

/** Runs an effect while the node fails. */
const failing = <A, E>(fate: (call: Call) => Fate, effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    node.fate = fate
    node.calls.length = 0
    return effect
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        node.fate = () => "pass"
        node.resume()
      }),
    ),
  )

const at =
  (method: string, fate: Fate) =>
  (call: Call): Fate =>
    call.method === method ? fate : "pass"

const slow = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    promised(() => on.rpc("evm_setAutomine", false)),
    () => effect,
    () => promised(async () => [await on.rpc("evm_setAutomine", true), await on.rpc("evm_mine")]),
  )

describe("a payment is taken", () => {
  it.live("and the same facts are seen later", () =>
    Effect.gen(function* () {
      const before = yield* received()
      const { offer, order, payer, look } = yield* given()
      assert.deepStrictEqual(yield* look, [])
      const { fact, receipt } = yield* offer.take(order)
      assert.strictEqual((yield* received()) - before, 1_000n)
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
      assert.strictEqual((yield* received()) - before, 1_000n)
    }),
  )

  it.live("eight at once, each in a transaction of its own", () =>
    Effect.gen(function* () {
      const before = yield* received()
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => given()),
        { concurrency: 4 },
      )
      const taken = yield* Effect.all(
        all.map(({ offer, order }) => offer.take(order)),
        { concurrency: 8 },
      )
      assert.strictEqual(new Set(taken.map(({ fact }) => fact.reference)).size, 8)
      assert.strictEqual((yield* received()) - before, 8_000n)
      const looked = yield* Effect.all(all.map(({ look }) => look))
      assert.deepStrictEqual(
        looked,
        taken.map(({ fact }) => [fact]),
      )
    }),
  )

  it.live("also when somebody else sends what the payer signed", () =>
    Effect.gen(function* () {
      const { offer, order, signed, look } = yield* given()
      yield* promised(() => on.call("Token", on.token, "transferWithAuthorization", on.transferOf(signed)))
      const { fact } = yield* offer.take(order)
      assert.deepStrictEqual(yield* look, [fact])
    }),
  )

  it.live("after its confirmations, and not before", () =>
    Effect.gen(function* () {
      const patient = yield* promised(() => payments(on, { confirmations: 3 }))
      const { offer, order, look } = yield* given(patient)
      const taking = yield* Effect.fork(offer.take(order))
      const early = yield* Effect.sleep(400).pipe(Effect.zipRight(Fiber.poll(taking)))
      assert.strictEqual(early._tag, "None")
      assert.deepStrictEqual(yield* look, [])
      yield* promised(() => on.rpc("anvil_mine", "0x2"))
      const { fact } = yield* Fiber.join(taking)
      assert.deepStrictEqual(yield* look, [fact])
    }),
  )

  it.live("when the chain is slow: it is not confirmed at first, and found later", () =>
    Effect.gen(function* () {
      const { offer, order, look } = yield* given()
      const failure = yield* slow(
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

describe("when the node fails while a payment is taken", () => {
  for (const [name, fate, expected, isPaid] of [
    ["before the gas is known", at("eth_estimateGas", "drop"), "upstream_unavailable", false],
    ["by hanging before it is sent", at("eth_getTransactionCount", "hang"), "upstream_unavailable", false],
    [
      "because our account has no money",
      at("eth_sendRawTransaction", { error: "insufficient funds for gas" }),
      "upstream_unavailable",
      false,
    ],
    ["as it is sent", at("eth_sendRawTransaction", "drop"), "payment_unconfirmed PAYMENT-SIGNATURE", false],
    ["after it was sent", at("eth_sendRawTransaction", "lose"), "no failure", true],
    ["after it was mined", at("eth_getTransactionReceipt", "drop"), "payment_unconfirmed PAYMENT-SIGNATURE", true],
  ] as const) {
    it.live(`${name}, the answer is honest`, () =>
      Effect.gen(function* () {
        const before = yield* received()
        const { offer, order, look } = yield* given()
        const began = performance.now()
        const lines: Array<string> = []
        const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
        const found = yield* failing(fate, refusedBy(offer.take(order))).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        )
        assert.strictEqual(found, expected)
        assert.isBelow(performance.now() - began, limits.take + 500)
        assert.notMatch(lines.join("\n"), /s3cret/)
        if (/no money/.test(name)) assert.match(lines.join("\n"), /insufficient funds for gas/)
        assert.strictEqual((yield* received()) - before, isPaid ? 1_000n : 0n)
        assert.deepStrictEqual(
          (yield* look).map(({ kind }) => kind),
          isPaid ? ["paid"] : [],
        )
      }),
    )
  }

  it.live("a number that another process took is not used again", () =>
    Effect.gen(function* () {
      const { offer, order } = yield* given()
      let tries = 0
      const fate = (call: Call): Fate =>
        call.method === "eth_sendRawTransaction" && ++tries === 1 ? { error: "nonce too low" } : "pass"
      yield* failing(fate, offer.take(order))
      assert.strictEqual(tries, 2)
    }),
  )

  it.live("a call that nobody waits for any more sends nothing", () =>
    Effect.gen(function* () {
      const { offer, order, look } = yield* given()
      yield* failing(
        at("eth_estimateGas", "hang"),
        Effect.gen(function* () {
          const taking = yield* Effect.fork(offer.take(order))
          while (!node.calls.some(({ method }) => method === "eth_estimateGas")) yield* Effect.sleep(5)
          yield* Fiber.interrupt(taking)
          node.resume()
          // A later payment goes through the same turn, so that the first one had its chance.
          const other = yield* given()
          node.fate = () => "pass"
          yield* other.offer.take(other.order)
        }),
      )
      assert.strictEqual(node.calls.filter(({ method }) => method === "eth_sendRawTransaction").length, 1)
      assert.deepStrictEqual(yield* look, [])
    }),
  )
})

describe("nothing is taken", () => {
  it.live("when the balance is spent before it is sent", () =>
    Effect.gen(function* () {
      const { offer, order, payer, look } = yield* given()
      yield* promised(() =>
        on.call("Token", on.token, "transfer", [on.owner.account.address, 1_000n], { ...on.owner, account: payer }),
      )
      assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_invalid payload.authorization.from")
      assert.deepStrictEqual(yield* look, [])
    }),
  )

  it.live("when it is spent after it was sent, and before it is mined", () =>
    Effect.gen(function* () {
      const before = yield* received()
      const { offer, order, payer } = yield* given()
      const found = yield* slow(
        Effect.gen(function* () {
          const taking = yield* Effect.fork(refusedBy(offer.take(order)))
          const pending = async () => Number(await on.node.getBlockTransactionCount({ blockTag: "pending" }))
          while ((yield* promised(pending)) === 0) yield* Effect.sleep(10)
          // Whoever pays more for gas comes first.
          const data = encodeFunctionData({
            abi: [
              {
                type: "function",
                name: "transfer",
                stateMutability: "nonpayable",
                inputs: [{ type: "address" }, { type: "uint256" }],
                outputs: [],
              },
            ],
            args: [on.owner.account.address, 1_000n],
          })
          yield* promised(async () => {
            const raw = await payer.signTransaction({
              type: "eip1559",
              chainId: on.chainId,
              nonce: 0,
              gas: 100_000n,
              to: on.token,
              data,
              maxFeePerGas: 10n ** 12n,
              maxPriorityFeePerGas: 10n ** 11n,
            })
            await on.rpc("eth_sendRawTransaction", raw)
            await on.rpc("evm_mine")
          })
          return yield* Fiber.join(taking)
        }),
      )
      assert.match(found, /^payment_invalid /)
      assert.strictEqual(yield* received(), before)
    }),
  )

  it.live("when the transfer would take too much of our gas", () =>
    Effect.gen(function* () {
      const token = yield* promised(() => on.deploy("Hungry"))
      const other = yield* promised(() => payments(on, { asset: token }))
      const payer = yield* promised(() => on.payer(1_000n, token))
      const offer = yield* offered(other, yield* promised(() => on.sign(payer, 1_000n, { token })), 1_000)
      assert.strictEqual(yield* refusedBy(offer.take(orderOf(1_000))), "payment_invalid payload.authorization")
      assert.strictEqual(yield* promised(() => on.balance(payer.address, token)), 1_000n)
    }),
  )
})

describe("an order is looked up", () => {
  const kinds = (look: ReturnType<CallPayments["look"]>) =>
    Effect.map(look, (facts) => facts.map((fact) => (fact.kind === "ended" ? fact.detail : fact.kind)))

  it.live("as ended when the payer cancelled", () =>
    Effect.gen(function* () {
      const { offer, order, payer, signed, look } = yield* given()
      yield* promised(() => on.cancel(payer, signed))
      assert.deepStrictEqual(yield* kinds(look), ["The payer cancelled the signed payment."])
      assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_replayed payload.authorization.nonce")
      assert.strictEqual(standing(order, yield* look).state, "ended")
    }),
  )

  it.live("as ended when the nonces paid somebody else, whatever else the transaction pays us", () =>
    Effect.gen(function* () {
      const payer = yield* promised(() => on.payer(9_000n))
      const thief = "0x00000000000000000000000000000000000000aa" as const
      const [one, other, third] = yield* Effect.all([1, 2, 3].map(() => promised(() => on.sign(payer, 1_000n))))
      const offers = yield* Effect.all([one!, other!].map((each) => offered(adapter, each, 1_000)))
      const redirected = yield* Effect.all(
        [one!, other!].map(({ authorization: { nonce } }) =>
          promised(() => on.sign(payer, 1_000n, { nonce, to: thief })),
        ),
      )
      const batch = yield* promised(() => on.deploy("Batch"))
      yield* promised(() => on.call("Batch", batch, "run", [on.token, [...redirected, third!].map(on.dataOf)]))
      for (const offer of offers) {
        const order = orderOf(1_000)
        assert.deepStrictEqual(yield* kinds(adapter.look(order, openedOf(offer))), [
          `The payer used the payment's nonce for a transfer to ${thief}.`,
        ])
        assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_replayed payload.authorization.nonce")
      }
    }),
  )

  it.live("as paid with the amount that came, when the payer sent another one", () =>
    Effect.gen(function* () {
      const { order, payer, signed, look } = yield* given()
      const less = yield* promised(() => on.sign(payer, 10n, { nonce: signed.authorization.nonce }))
      yield* promised(() => on.call("Token", on.token, "transferWithAuthorization", on.transferOf(less)))
      const facts = yield* look
      assert.deepStrictEqual(
        facts.map((fact) => "amount" in fact && fact.amount.micros),
        [10],
      )
      assert.strictEqual(standing(order, facts).state, "mismatched")
    }),
  )

  it.live("not at all on a network that is not configured", () =>
    Effect.gen(function* () {
      const { order, offer } = yield* given()
      const opened = openedOf({ ...offer, reference: offer.reference.replace(":31337:", ":8453:") })
      assert.strictEqual(yield* refusedBy(adapter.look(order, opened)), "upstream_unavailable")
    }),
  )

  // The last of this file: it moves the chain's time ahead.
  it.live("far behind the newest block, in pieces that public nodes allow, and unused ones end", () =>
    Effect.gen(function* () {
      const until = { validBefore: String(seconds() + 3_500) }
      const { offer, order, look } = yield* given(adapter, until)
      const unused = yield* given(adapter, until)
      const mine = (blocks: number, interval: number) =>
        promised(() => on.rpc("anvil_mine", `0x${blocks.toString(16)}`, `0x${interval.toString(16)}`))
      yield* mine(1_100, 1)
      const { fact } = yield* offer.take(order)
      yield* mine(1_050, 1)
      assert.deepStrictEqual(yield* unused.look, [])
      yield* mine(2, 900)
      const ended = {
        kind: "ended",
        reference: unused.offer.reference,
        detail: "The signed payment expired before it was sent.",
      }
      assert.deepStrictEqual<unknown>(yield* unused.look, [ended])
      /** The blocks whose events are asked for. */
      const ranges = () =>
        node.calls.flatMap(({ method, params: [filter] }) => {
          const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock: string; toBlock: string }
          return method === "eth_getLogs" ? [Number(toBlock) - Number(fromBlock) + 1] : []
        })
      for (const [laterMs, pieces] of [
        [0, 3],
        [1_500_000, 2],
      ] as const) {
        node.calls.length = 0
        const later = { ...order, createdAt: order.createdAt + laterMs }
        assert.deepStrictEqual(yield* laterMs === 0 ? look : adapter.look(later, openedOf(offer)), [fact])
        assert.strictEqual(ranges().length, pieces, ranges().join())
        assert.isTrue(ranges().every((blocks) => blocks <= 1_000))
        assert.isBelow(node.calls.length, 40)
      }
    }),
  )
})

// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { encodeFunctionData } from "viem"
import { make } from "../../../../../../adapters/server/payments/x402/x402.ts"
import { Meter, noCounting } from "../../../../../../core/telemetry/Meter.ts"
import { limits, offered, orderOf, payments, refusedBy } from "../../../../chain/paying.ts"
import type { Call, Fate } from "../../../../chain/proxy.ts"
import { at, promised, type Till, till } from "../../../../chain/till.ts"

let shop: Till

beforeAll(async () => {
  shop = await till()
})
afterAll(() => shop.stop())

/** Nothing will come of the payment: another one has to be signed. */
const notSent = "upstream_unavailable payload.authorization.nonce"

describe("when the node fails while a payment is taken", () => {
  for (const [name, fate, expected, isPaid] of [
    ["before the gas is known", at("eth_estimateGas", "drop"), notSent, false],
    ["by hanging before it is sent", at("eth_getTransactionCount", "hang"), notSent, false],
    [
      "because our account has no money",
      at("eth_sendRawTransaction", { error: "insufficient funds for gas" }),
      notSent,
      false,
    ],
    ["as it is sent", at("eth_sendRawTransaction", "drop"), "payment_unconfirmed PAYMENT-SIGNATURE", false],
    ["after it was sent", at("eth_sendRawTransaction", "lose"), "no failure", true],
    ["after it was mined", at("eth_getTransactionReceipt", "drop"), "payment_unconfirmed PAYMENT-SIGNATURE", true],
  ] as const) {
    it.live(`${name}, the answer is honest`, () =>
      Effect.gen(function* () {
        const before = yield* shop.received
        const { offer, order, look } = yield* shop.given()
        const began = performance.now()
        const lines: Array<string> = []
        const logger = Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
        const found = yield* shop
          .failing(fate, refusedBy(offer.take(order)))
          .pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
        assert.strictEqual(found, expected)
        assert.isBelow(performance.now() - began, limits.take + 500)
        assert.notMatch(lines.join("\n"), /s3cret/)
        if (/no money/.test(name)) assert.match(lines.join("\n"), /insufficient funds for gas/)
        assert.strictEqual((yield* shop.received) - before, isPaid ? 1_000n : 0n)
        assert.deepStrictEqual(
          (yield* look).map(({ kind }) => kind),
          isPaid ? ["paid"] : [],
        )
      }),
    )
  }

  it.live("a number that another process took is not used again", () =>
    Effect.gen(function* () {
      const { offer, order } = yield* shop.given()
      let tries = 0
      const fate = (call: Call): Fate =>
        call.method === "eth_sendRawTransaction" && ++tries === 1 ? { error: "nonce too low" } : "pass"
      yield* shop.failing(fate, offer.take(order))
      assert.strictEqual(tries, 2)
    }),
  )

  it.live("two at once, of which one is not accepted, the other one is mined", () =>
    Effect.gen(function* () {
      const both = yield* Effect.all([shop.given(), shop.given()])
      let sent = 0
      const fate = (call: Call): Fate =>
        call.method === "eth_sendRawTransaction" && ++sent === 1 ? { error: "insufficient funds for gas" } : "pass"
      const taking = both.map(({ offer, order }) => refusedBy(offer.take(order)))
      const found = yield* shop.failing(fate, Effect.all(taking, { concurrency: 2 }))
      assert.deepStrictEqual(found.toSorted(), ["no failure", notSent])
    }),
  )

  it.live("a node that has not heard of our last transaction does not confuse the next", () =>
    Effect.gen(function* () {
      const [one, ...others] = yield* Effect.all([shop.given(), shop.given(), shop.given()])
      const { fact } = yield* one!.offer.take(one!.order)
      const hash = fact.reference.split(":")[2] as `0x${string}`
      const { nonce } = yield* promised(() => shop.on.node.getTransaction({ hash }))
      const heard = at("eth_getTransactionCount", { result: `0x${(nonce + 1).toString(16)}` })
      const taking = others.map(({ offer, order }) => offer.take(order))
      yield* shop.failing(heard, Effect.all(taking))
      assert.strictEqual(shop.sent(), 2)
    }),
  )

  it.live("a call that nobody waits for any more sends nothing", () =>
    Effect.gen(function* () {
      const { offer, order, look } = yield* shop.given()
      yield* shop.failing(
        at("eth_estimateGas", "hang"),
        Effect.gen(function* () {
          const taking = yield* Effect.fork(offer.take(order))
          while (!shop.node.calls.some(({ method }) => method === "eth_estimateGas")) yield* Effect.sleep(5)
          yield* Fiber.interrupt(taking)
          shop.node.resume()
          // A later payment goes through the same turn, so that the first one had its chance.
          const other = yield* shop.given()
          shop.node.fate = () => "pass"
          yield* other.offer.take(other.order)
        }),
      )
      assert.strictEqual(shop.sent(), 1)
      assert.deepStrictEqual(yield* look, [])
    }),
  )
})

describe("when the node does not answer at the start", () => {
  for (const [decimals, expected] of [
    [6, "no failure"],
    [18, "upstream_unavailable"],
  ] as const) {
    it.live(`a token with 6 decimals and settings with ${decimals}: ${expected} once it answers`, () =>
      Effect.gen(function* () {
        const rpcUrl = Redacted.make(shop.node.url)
        const adapter = yield* shop.failing(
          () => "drop",
          promised(() => payments(shop.on, { rpcUrl, assetDecimals: decimals })),
        )
        const units = BigInt(adapter.accept(orderOf(1_000).micros).amount)
        const payer = yield* promised(() => shop.on.payer(units))
        const made = yield* promised(() => shop.on.sign(payer, units))
        assert.strictEqual(yield* refusedBy(offered(adapter, made, 1_000)), expected)
      }),
    )
  }
})

describe("nothing is taken", () => {
  it.live("when the balance is spent before it is sent", () =>
    Effect.gen(function* () {
      const { offer, order, payer, look } = yield* shop.given()
      yield* promised(() =>
        shop.on.call("Token", shop.on.token, "transfer", [shop.on.owner.account.address, 1_000n], {
          ...shop.on.owner,
          account: payer,
        }),
      )
      assert.strictEqual(yield* refusedBy(offer.take(order)), "payment_invalid payload.authorization.from")
      assert.deepStrictEqual(yield* look, [])
    }),
  )

  it.live("when it is spent after it was sent, and before it is mined", () =>
    Effect.gen(function* () {
      const before = yield* shop.received
      const { offer, order, payer } = yield* shop.given()
      const found = yield* shop.slow(
        Effect.gen(function* () {
          const taking = yield* Effect.fork(refusedBy(offer.take(order)))
          const pending = async () => Number(await shop.on.node.getBlockTransactionCount({ blockTag: "pending" }))
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
            args: [shop.on.owner.account.address, 1_000n],
          })
          yield* promised(async () => {
            const raw = await payer.signTransaction({
              type: "eip1559",
              chainId: shop.on.chainId,
              nonce: 0,
              gas: 100_000n,
              to: shop.on.token,
              data,
              maxFeePerGas: 10n ** 12n,
              maxPriorityFeePerGas: 10n ** 11n,
            })
            await shop.on.rpc("eth_sendRawTransaction", raw)
            await shop.on.rpc("evm_mine")
          })
          return yield* Fiber.join(taking)
        }),
      )
      assert.match(found, /^payment_invalid /)
      assert.strictEqual(yield* shop.received, before)
    }),
  )

  it.live("when the transfer would take too much of our gas", () =>
    Effect.gen(function* () {
      const token = yield* promised(() => shop.on.deploy("Hungry"))
      const other = yield* promised(() => payments(shop.on, { asset: token }))
      const payer = yield* promised(() => shop.on.payer(1_000n, token))
      const offer = yield* offered(other, yield* promised(() => shop.on.sign(payer, 1_000n, { token })), 1_000)
      assert.strictEqual(yield* refusedBy(offer.take(orderOf(1_000))), "payment_invalid payload.authorization")
      assert.strictEqual(yield* promised(() => shop.on.balance(payer.address, token)), 1_000n)
    }),
  )
})

describe("the gas of an hour", () => {
  it.live("is a budget: beyond it payments are refused before the chain is asked, and free again after an hour", () =>
    Effect.gen(function* () {
      const counted: Array<readonly [string, number?]> = []
      const meter = {
        ...noCounting,
        sentPayment: (isReverted: boolean, gas: number) => void counted.push([isReverted ? "reverted" : "paid", gas]),
        withoutGas: () => void counted.push(["refused"]),
      }
      const live = yield* Effect.clock
      let ahead = 0
      const clock: Clock.Clock = Object.assign(Object.create(live), {
        unsafeCurrentTimeMillis: () => live.unsafeCurrentTimeMillis() + ahead,
      })
      const settings = yield* promised(() =>
        shop.on.settings({ rpcUrl: Redacted.make(shop.node.url), gasPerHour: 500_000 }),
      )
      const adapter = yield* make(settings, { limits }).pipe(
        Effect.provideService(Meter, meter),
        Effect.withClock(clock),
      )
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      for (let paid = 0; paid < 2; paid++) {
        const { offer, order } = yield* shop.given(adapter)
        yield* offer.take(order)
      }
      assert.deepStrictEqual(
        counted.map(([outcome]) => outcome),
        ["paid", "paid"],
      )
      assert.isAbove(counted[0]![1]!, 40_000)
      // Two transfers leave less than one may take at most.
      const payer = yield* promised(() => shop.on.payer(1_000n))
      const signed = yield* promised(() => shop.on.sign(payer, 1_000n))
      shop.node.calls.length = 0
      for (let again = 0; again < 3; again++) {
        const failure = yield* Effect.flip(offered(adapter, signed, 1_000)).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        )
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.isAtLeast(failure.retryAfterMs!, 3_500_000)
        assert.isAtMost(failure.retryAfterMs!, 3_600_000)
      }
      assert.lengthOf(shop.node.calls, 0)
      assert.deepStrictEqual(lines, ["Payments are not taken: the 500000 units of gas for this hour are used up"])
      assert.lengthOf(
        counted.filter(([outcome]) => outcome === "refused"),
        3,
      )
      ahead = 3_600_000
      assert.strictEqual((yield* offered(adapter, signed, 1_000)).micros, 1_000)
    }),
  )
})

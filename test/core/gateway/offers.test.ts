import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { KeyedQuestion, Progress, Question, RequestContext } from "../../../core/gateway/Call.ts"
import { make } from "../../../core/gateway/offers.ts"
import { endpoints } from "../../../core/lanes/weather/endpoints.ts"
import { CallPaymentGate, type Offer } from "../../../core/payment/CallPaymentGate.ts"
import { asEffect } from "../../support/steps.ts"

const endpoint = endpoints.signal
const price = MicroUsd(endpoint.priceMicros)
const caller = { accountId: "acct_1", keyId: "key_1", livemode: true, perMinute: 60 }
const keyed: RequestContext = { authorization: "Bearer svk_live_x", payment: "signed" }
const question = (context: RequestContext, by: object = {}): Question & KeyedQuestion =>
  ({ call: { requestId: "req_1", startedAt: 0, since: 0, context }, endpoint, caller: { ...caller, ...by } }) as never

/** Over payments on one network; notes whether calls with a payment came with a key. */
const over = (offer: Effect.Effect<Offer, Failure>, isLeft = true) => {
  const withKey: Array<boolean> = []
  const paying = {
    terms: (micros: number, hasKey: boolean) => [{ amount: String(micros), extra: { key: String(hasKey) } }],
    required: () => "terms",
    offer: (_: string, __: number, hasKey: boolean) =>
      Effect.zipRight(
        Effect.sync(() => withKey.push(hasKey)),
        offer,
      ),
    isLeft: () => Effect.succeed(isLeft),
    callerOf: (payer: string) => Effect.succeed({ ...caller, accountId: payer }),
  } as unknown as CallPaymentGate["Type"]
  const layer = Layer.mergeAll(
    Layer.succeed(CallPaymentGate, paying),
    BaseUrl.layer("https://api.test"),
    Ledger.layerMemory([["acct_1", price]]),
  )
  return { withKey, offers: Effect.provide(make, layer) }
}

const received = { receipt: "receipt", caller: { ...caller, accountId: "acct_new" } }
const good: Offer = { payer: "0xabc", micros: price, take: () => Effect.succeed(received) }
const bad = fail("payment_invalid", { detail: "forged" })

describe("a call that the wallet does not cover", () => {
  it.effect("is told what is missing, where it is credited, and on which terms it may pay", () =>
    Effect.gen(function* () {
      const offers = yield* over(Effect.succeed(good)).offers
      const found = offers.insufficient(question(keyed), price, { now: 0, balance: MicroUsd(1) })
      assert.deepStrictEqual([found.code, found.required], ["insufficient_funds", "terms"])
      const { quote } = found
      assert.deepStrictEqual(
        [quote!.shortfall_micros, quote!.balance_micros, quote!.topup_url, quote!.accepts.length],
        [price - 1, 1, "https://api.test/dashboard/top-up", 1],
      )
      const ofAgent = question(keyed, { agent: { id: "agent_1", paused: false } })
      assert.isUndefined(offers.insufficient(ofAgent, price, { now: 0, balance: MicroUsd(1) }).quote!.balance_micros)
    }),
  )
})

describe("the payment of a call", () => {
  it.effect("is read with a key, unless the call is free, a HEAD or brings none", () =>
    Effect.gen(function* () {
      const { withKey, offers } = over(Effect.succeed(good))
      const read = asEffect((yield* offers).read)
      assert.strictEqual(yield* read(question(keyed), price), good)
      assert.isUndefined(yield* read(question(keyed), MicroUsd(0)))
      assert.isUndefined(yield* read(question({ ...keyed, head: true }), price))
      assert.isUndefined(yield* read(question({ authorization: "Bearer svk_live_x" }), price))
      assert.deepStrictEqual(withKey, [true])
    }),
  )

  it.effect("that is refused is answered with the terms again, an outage as it is", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(asEffect((yield* over(bad).offers).read)(question(keyed), price))
      assert.deepStrictEqual([refused.code, refused.detail, refused.required], ["payment_invalid", "forged", "terms"])
      const outage = fail("upstream_unavailable")
      assert.strictEqual(
        yield* Effect.flip(asEffect((yield* over(outage).offers).read)(question(keyed), price)),
        outage,
      )
    }),
  )

  it.effect("stands for a caller without a key, and none is asked for on free calls", () =>
    Effect.gen(function* () {
      const payer = asEffect((yield* over(Effect.succeed(good)).offers).payer)
      const keyless = question({ authorization: undefined, payment: "signed" })
      assert.strictEqual((yield* payer(keyless, false)).caller.accountId, "0xabc")
      for (const unpaid of [payer(keyless, true), payer(question({ authorization: undefined }), false)]) {
        const { code, hints, quote } = yield* Effect.flip(unpaid)
        assert.deepStrictEqual([code, quote!.accepts[0]!.amount], ["payment_required", String(price)])
        assert.deepStrictEqual(
          hints!.map(({ field }) => field),
          ["Authorization", "PAYMENT-SIGNATURE"],
        )
      }
    }),
  )

  it.effect("that was cut off covers the next call of its payer where the money is there", () =>
    Effect.gen(function* () {
      const keyless: RequestContext = { authorization: undefined }
      const isCovered = asEffect((yield* over(Effect.succeed(good)).offers).isCovered)
      assert.isTrue(yield* isCovered(question(keyless), price))
      assert.isFalse(yield* isCovered(question(keyless), MicroUsd(price + 1)))
      assert.isFalse(yield* isCovered(question(keyed), price))
      assert.isFalse(yield* isCovered(question(keyless, { isNew: true }), price))
      assert.isFalse(
        yield* asEffect((yield* over(Effect.succeed(good), false).offers).isCovered)(question(keyless), price),
      )
    }),
  )

  it.effect("that is taken leaves its receipt and its caller with the call", () =>
    Effect.gen(function* () {
      const take = asEffect((yield* over(Effect.succeed(good)).offers).take)
      const asked = question(keyed)
      const progress: Progress = { call: asked.call, stage: { paramsHash: "hash" } }
      const quoted = { question: asked, price: { micros: price }, payment: good } as never
      assert.strictEqual(yield* take(progress, quoted, caller, good), received.caller)
      assert.deepStrictEqual(progress.stage, { paramsHash: "hash", caller: received.caller, receipt: "receipt" })
    }),
  )
})

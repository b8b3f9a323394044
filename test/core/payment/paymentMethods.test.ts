import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import { CallPaymentGate } from "../../../core/payment/CallPaymentGate.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { PaymentMethod, paymentMethods } from "../../../core/payment/paymentMethods.ts"

const accept = {
  ...{ scheme: "exact", network: "eip155:8453", amount: "1000000", asset: "0xa", payTo: "0xb" },
  ...{ maxTimeoutSeconds: 300, extra: { name: "USD Coin", version: "2" } },
}

const methods = (paying: object | undefined, labels: ReadonlyArray<string>) =>
  Effect.provide(
    paymentMethods,
    Layer.mergeAll(
      BaseUrl.layer("https://api.test"),
      Layer.succeed(CallPaymentGate, paying as CallPaymentGate["Type"]),
      Layer.succeed(Payments, { ways: labels.map((label) => ({ label })) } as unknown as Payments["Type"]),
    ),
  )

describe("the ways to pay", () => {
  it.effect("are the operator alone where no provider is configured", () =>
    Effect.gen(function* () {
      const [only, ...others] = yield* methods(undefined, [])
      assert.deepStrictEqual([only!.way, only!.url, others], ["operator", "https://api.test/dashboard/top-up", []])
    }),
  )

  it.effect("are pages of providers and payments with a call too, in the form that is documented", () =>
    Effect.gen(function* () {
      const found = yield* methods({ keyless: false, topUps: [accept] }, ["Card"])
      assert.deepStrictEqual(
        found.map(({ way }) => way),
        ["card", "x402", "operator"],
      )
      assert.deepStrictEqual(found[1]!.accepts, [accept as never])
      assert.isFalse(found[1]!.how.includes("Without a key"))
      const isForm = Schema.is(Schema.Array(PaymentMethod))
      assert.isTrue(isForm(found))
      assert.include((yield* methods({ keyless: true, topUps: [] }, []))[0]!.how, "Without a key")
    }),
  )
})

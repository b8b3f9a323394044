import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Quote from "../account/Quote.ts"
import { BaseUrl } from "../call/BaseUrl.ts"
import { Accept } from "../endpoint/EnvelopeSchema.ts"
import * as Field from "../endpoint/Field.ts"
import { CallPaymentGate } from "./CallPaymentGate.ts"
import { Payments } from "./Payments.ts"

export const PaymentMethod = Schema.Struct({
  way: Field.text("`operator`, `x402`, or a way on a page, such as `card`."),
  url: Field.optional(Field.text("The page to pay on.")),
  accepts: Field.optional(Schema.Array(Accept)),
  how: Field.text("One sentence."),
}).annotations({ identifier: "WayToPay" })

export type PaymentMethod = typeof PaymentMethod.Encoded

export const paymentMethods: Effect.Effect<
  ReadonlyArray<PaymentMethod>,
  never,
  BaseUrl | CallPaymentGate | Payments
> = Effect.gen(function* () {
  const { baseUrl } = yield* BaseUrl
  const payments = yield* Payments
  const paying = yield* CallPaymentGate
  const page = `${baseUrl}${Quote.topUpPath}`
  return [
    ...payments.ways.map(({ label }) => ({
      way: label.toLowerCase(),
      url: page,
      how: "An owner of the account pays on a page of the provider.",
    })),
    ...(paying === undefined
      ? []
      : [
          {
            way: "x402",
            accepts: paying.topUps,
            how: `Send a signed payment in the header PAYMENT-SIGNATURE of a call that costs something: it is credited to the wallet, then the call is charged.${paying.keyless ? " Without a key, a payment of the price answers the call." : ""}`,
          },
        ]),
    { way: "operator", url: page, how: "The operator credits the wallet; the page says whom to ask." },
  ]
})

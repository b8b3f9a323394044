import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StripeMissing } from "../adapters/server/payments/stripe/client.ts"
import * as Stripe from "../adapters/server/payments/stripe/provider.ts"
import * as orders from "../adapters/store/money/Orders.ts"
import { BaseUrl } from "../core/call/BaseUrl.ts"
import { CallPaymentGate } from "../core/payment/CallPaymentGate.ts"
import { PaymentProviders } from "../core/payment/PaymentProviders.ts"
import { Payments } from "../core/payment/Payments.ts"
import { baseUrl, type Settings } from "./Config.ts"
import { callPayments } from "./config/x402.ts"

/** A configured provider cannot be used: its package is missing, or it contradicts the settings. */
export type PaymentSettingsError = ConfigError.ConfigError | StripeMissing

const providers = ({ payments: { stripe, x402 } }: Settings): Layer.Layer<PaymentProviders, PaymentSettingsError> =>
  Layer.effect(
    PaymentProviders,
    Effect.gen(function* () {
      const topUps = yield* Effect.all(Option.toArray(stripe).map((settings) => Stripe.make(settings)))
      return Option.isNone(x402) ? { topUps } : { topUps, calls: yield* callPayments(x402.value, false) }
    }),
  )

/** Fails if the payment network contradicts the settings. A node that does not answer is no failure. */
export const checkNetwork = ({ payments: { x402 } }: Settings): Effect.Effect<void, PaymentSettingsError> =>
  Option.isNone(x402) ? Effect.void : Effect.asVoid(callPayments(x402.value, true))

/** Payments over the configured providers, and the providers. */
export const payments = (config: Settings) =>
  Payments.layer.pipe(
    Layer.provide(BaseUrl.layer(baseUrl(config))),
    Layer.provideMerge(Layer.merge(orders.layer, providers(config))),
  )

/** Payments sent with calls, if a provider of them is configured. */
export const paying = Layer.unwrapEffect(
  Effect.map(PaymentProviders, ({ calls }) =>
    calls === undefined ? CallPaymentGate.layerNone : CallPaymentGate.layer(calls),
  ),
)

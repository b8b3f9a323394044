import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StripeMissing } from "../adapters/payments/stripe/client.ts"
import * as Stripe from "../adapters/payments/stripe/provider.ts"
import * as orders from "../adapters/sql/Orders.ts"
import type { PlatformCrypto } from "../core/account/PlatformCrypto.ts"
import { BaseUrl } from "../core/gateway/BaseUrl.ts"
import type { OrderStore } from "../core/payment/OrderStore.ts"
import { Payments } from "../core/payment/Payments.ts"
import { Providers } from "../core/payment/Providers.ts"
import { baseUrl, type Settings } from "./Config.ts"

/** A configured provider whose package cannot be loaded. */
export type Missing = StripeMissing

/** The configured payment providers. */
const providers = ({ payments: { stripe } }: Settings): Layer.Layer<never, Missing> =>
  Layer.effect(
    Providers,
    Effect.map(Effect.all(Option.toArray(stripe).map((settings) => Stripe.make(settings))), (topUps) => ({ topUps })),
  )

/** Payments over the configured providers. */
export const payments = (
  config: Settings,
): Layer.Layer<OrderStore | Payments, Missing, PlatformCrypto | SqlClient.SqlClient> =>
  Payments.layer.pipe(
    Layer.provide([BaseUrl.layer(baseUrl(config)), providers(config)]),
    Layer.provideMerge(orders.layer),
  )

/**
 * Payment providers: Stripe Checkout, which needs the package `stripe`, and x402, which needs `@x402/core`, `@x402/evm` and
 * `viem`. They are values for `PaymentProviders` of the core.
 *
 * @module
 */
import type * as Effect from "effect/Effect"
import type { CallPayments } from "../../../core/payment/CallPayment.ts"
import type { TopUp } from "../../../core/payment/TopUp.ts"
import * as Stripe from "./stripe/provider.ts"
import type { Settings as StripeSettings } from "./stripe/settings.ts"
import type { InvalidX402Settings, Settings as X402Settings } from "./x402/settings.ts"
import * as X402 from "./x402/x402.ts"

export type { Settings as StripeSettings } from "./stripe/settings.ts"
export { InvalidX402Settings, type Settings as X402Settings } from "./x402/settings.ts"

/** The package `stripe` cannot be loaded; the message says how to install it. */
export interface StripeMissing extends Error {
  readonly _tag: "StripeMissing"
  readonly cause: unknown
}

// These types use none of the packages', since an operator who takes only cards has not installed the others.

/** Payments by card, and by whatever else the account accepts, on Stripe's own pages (Checkout). */
export const stripe: (settings: StripeSettings) => Effect.Effect<TopUp, StripeMissing> = Stripe.make

/**
 * Payments sent with a call, by version 2 of x402: the scheme `exact` with signed transfers (EIP-3009) on an EVM chain. Fails
 * for invalid settings.
 *
 * @param options `checkAtStart`: whether to check at start-up that the node fits the settings; default true
 */
export const x402: (
  settings: X402Settings,
  options?: { readonly checkAtStart?: boolean },
) => Effect.Effect<CallPayments, InvalidX402Settings> = X402.make

/**
 * Payment providers: Stripe Checkout, which needs the package `stripe`, and x402, which needs `@x402/core`, `@x402/evm` and
 * `viem`. They are values for `Providers` of the core.
 *
 * @module
 */

export { make as stripe, type Settings as StripeSettings } from "./stripe/provider.ts"
export { type Settings as X402Settings, Unusable } from "./x402/settings.ts"
export { make as x402 } from "./x402/x402.ts"

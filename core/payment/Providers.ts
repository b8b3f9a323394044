import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { CallPayments } from "./CallPayment.ts"
import type { TopUp } from "./TopUp.ts"

export class Providers extends Context.Tag("market-signals/core/payment/Providers")<
  Providers,
  { readonly topUps: ReadonlyArray<TopUp>; readonly calls?: CallPayments }
>() {
  /** Only the operator credits wallets. */
  static readonly layerNone: Layer.Layer<Providers> = Layer.succeed(Providers, { topUps: [] })
}

import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { CallPayments } from "./CallPayment.ts"
import type { TopUp } from "./TopUp.ts"

export class PaymentProviders extends Context.Tag("market-signals/core/payment/PaymentProviders")<
  PaymentProviders,
  { readonly topUps: ReadonlyArray<TopUp>; readonly calls?: CallPayments }
>() {
  /** Only the operator credits wallets. */
  static readonly layerNone: Layer.Layer<PaymentProviders> = Layer.succeed(PaymentProviders, { topUps: [] })
}

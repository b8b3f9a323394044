import * as Context from "effect/Context"
import type { CallPayments } from "./CallPayment.ts"
import type { TopUp } from "./TopUp.ts"

/** The payment providers of this installation; none: only the operator credits wallets. */
export class Providers extends Context.Reference<Providers>()("core/payment/Providers", {
  defaultValue: (): { readonly topUps: ReadonlyArray<TopUp>; readonly calls?: CallPayments } => ({ topUps: [] }),
}) {}

import * as Context from "effect/Context"
import * as Endpoint from "../endpoint/Endpoint.ts"
import type { Caller } from "./Keyring.ts"

/**
 * The price of a call for its caller, whole micro-dollars: the list price unless a service gives discounts. Quotes, plans,
 * budgets and charges use it; documents show the list price.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as Endpoint from "../endpoint/Endpoint.ts"
 * import { Tariff } from "./Tariff.ts"
 *
 * const half = Layer.succeed(Tariff, { due: (endpoint) => Math.ceil(Endpoint.charge(endpoint) / 2) })
 * ```
 */
export class Tariff extends Context.Reference<Tariff>()("core/account/Tariff", {
  defaultValue: (): { readonly due: (endpoint: Endpoint.Any, caller: Caller) => number } => ({ due: Endpoint.charge }),
}) {}

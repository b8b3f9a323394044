import * as Context from "effect/Context"
import type { Caller } from "../account/Keyring.ts"
import * as Endpoint from "./Endpoint.ts"

/**
 * The price of a call for its caller, whole micro-dollars: the list price unless a service gives discounts. Quotes, plans,
 * budgets and charges use it; documents show the list price.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as Endpoint from "./Endpoint.ts"
 * import { Tariff } from "./Tariff.ts"
 *
 * const half = Layer.succeed(Tariff, { due: (endpoint) => Math.ceil(Endpoint.charge(endpoint) / 2) })
 * ```
 */
export class Tariff extends Context.Reference<Tariff>()("market-signals/core/endpoint/Tariff", {
  defaultValue: (): { readonly due: (endpoint: Endpoint.Any, caller: Caller) => number } => ({ due: Endpoint.charge }),
}) {}

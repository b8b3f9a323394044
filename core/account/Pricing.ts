import * as Endpoint from "../endpoint/Endpoint.ts"
import { broken } from "./Agent.ts"
import type { SpendStatus } from "./Ledger.ts"
import { display, MicroUsd, zero } from "./Money.ts"

/** The cost of a call: `list` counts against an agent's caps, `micros` is charged to the wallet (test keys: 0). */
export interface Price {
  readonly list: MicroUsd
  readonly micros: MicroUsd
}

export const nothing: Price = { list: zero, micros: zero }

/** The price of one call by a tariff, with a live key or a test key. */
export const priceOf = (due: number, livemode: boolean): Price => {
  const list = MicroUsd(due)
  return { list, micros: livemode ? list : zero }
}

/** A list price in answers. */
export interface Shown {
  readonly display: string
  readonly micros: number
}

/**
 * The cost of one call of an endpoint, computed in process and without a key.
 *
 * @example
 * ```ts
 * import { settlement } from "../lanes/weather/endpoints.ts"
 * import { quote } from "./Pricing.ts"
 *
 * const { price, charged_micros } = quote(settlement)
 * price // { display: "0.001 USD", micros: 1000 }
 * charged_micros // 1000
 * ```
 */
export const quote = (
  endpoint: Endpoint.Any,
  livemode = true,
  due: number = Endpoint.charge(endpoint),
): { readonly endpoint: string; readonly price: Shown; readonly charged_micros: number } => ({
  endpoint: endpoint.path,
  price: { display: display(endpoint.priceMicros), micros: endpoint.priceMicros },
  charged_micros: priceOf(due, livemode).micros,
})

/** Why a call cannot be paid; the budget is checked before the wallet. */
export type BlockedBy = "agent_budget_exceeded" | "insufficient_funds"

/**
 * Why a call cannot be paid now, after `before` has been spent; undefined if it can. A forecast: the settlement decides.
 *
 * @param before cost of the calls that come first
 */
export const blockedBy = (standing: SpendStatus, price: Price, before: Price = nothing): BlockedBy | undefined => {
  const { agent, balance } = standing
  const spent = (micros: number): number => micros + before.list
  if (
    agent !== undefined &&
    broken(agent, spent(agent.monthSpent), spent(agent.totalSpent), price.list) !== undefined
  ) {
    return "agent_budget_exceeded"
  }
  return price.micros > 0 && balance - before.micros < price.micros ? "insufficient_funds" : undefined
}

export const plus = (a: Price, b: Price): Price => ({
  list: MicroUsd(a.list + b.list),
  micros: MicroUsd(a.micros + b.micros),
})

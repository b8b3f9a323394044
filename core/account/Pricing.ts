import * as Endpoint from "../endpoint/Endpoint.ts"
import { broken } from "./Agent.ts"
import type { Standing } from "./Ledger.ts"
import { display, MicroUsd, zero } from "./Money.ts"

/** What a call costs: against the caps of an agent, and out of the wallet. Test keys pay with a count only. */
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

/** A list price as answers show it. */
export interface Shown {
  readonly display: string
  readonly micros: number
}

/**
 * What one call of an endpoint costs, in process and without a key.
 *
 * @example
 * quote(catalogue.get("weather_settlement")) // { endpoint: "/v1/weather/settlement", price: { display: "0.001 USD", micros: 1000 }, charged_micros: 1000 }
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

/** What stands between a caller and a call, the budget before the wallet. */
export type Obstacle = "agent_budget_exceeded" | "insufficient_funds"

/**
 * Whether a call could be paid now, after `before` has been spent. It decides nothing: the settlement does.
 *
 * @param before what calls that come first will have cost
 */
export const obstacle = (standing: Standing, price: Price, before: Price = nothing): Obstacle | undefined => {
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

import type { Price } from "../account/decide.ts"
import { display, MicroUsd, zero } from "../account/Money.ts"
import * as Endpoint from "./Endpoint.ts"

export const nothing: Price = { list: zero, micros: zero }

/** The price of one call: a test key's counts towards caps and charges nothing. */
export const quotePrice = (endpoint: Endpoint.Any, livemode: boolean): Price => {
  const list = MicroUsd(Endpoint.charge(endpoint))
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
): { readonly endpoint: string; readonly price: Shown; readonly charged_micros: number } => ({
  endpoint: endpoint.path,
  price: { display: display(endpoint.priceMicros), micros: endpoint.priceMicros },
  charged_micros: quotePrice(endpoint, livemode).micros,
})

export const plus = (a: Price, b: Price): Price => ({
  list: MicroUsd(a.list + b.list),
  micros: MicroUsd(a.micros + b.micros),
})

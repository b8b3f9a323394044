import type { Quote } from "../Failure.ts"
import { iso, minute } from "../time.ts"
import { display, type MicroUsd } from "./Money.ts"

/** The page that says how to credit a wallet. */
export const topUpPath = "/dashboard/top-up"

const validFor = 15 * minute

/** The quote of a 402: the price and the shortfall. An agent's key does not see the balance. */
export const make = (quote: {
  readonly endpoint: string
  readonly price: MicroUsd
  readonly balance: MicroUsd
  readonly now: number
  readonly topupUrl: string
  readonly forAgent: boolean
}): Quote => ({
  endpoint: quote.endpoint,
  price: { display: display(quote.price), micros: quote.price },
  ...(quote.forAgent ? {} : { balance_micros: quote.balance }),
  shortfall_micros: Math.max(0, quote.price - quote.balance),
  currency: "USD",
  topup_url: quote.topupUrl,
  expires_at: iso(quote.now + validFor),
  accepts: [],
})

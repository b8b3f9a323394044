import type { Accept } from "../call/Accept.ts"
import type { Quote } from "../Failure.ts"
import { iso, minute } from "../time.ts"
import { display, type MicroUsd } from "./Money.ts"

/** The page that says how to credit a wallet. */
export const topUpPath = "/dashboard/top-up"

const validFor = 15 * minute

/**
 * The quote of a 402: the price, the shortfall and the ways to pay. The balance is absent for an agent's key, which does not
 * see it, and without a key.
 */
export const make = (quote: {
  readonly endpoint: string
  readonly price: MicroUsd
  readonly balance?: MicroUsd
  readonly now: number
  readonly topupUrl: string
  readonly forAgent: boolean
  readonly accepts: ReadonlyArray<Accept>
}): Quote => ({
  endpoint: quote.endpoint,
  price: { display: display(quote.price), micros: quote.price },
  ...(quote.forAgent || quote.balance === undefined ? {} : { balance_micros: quote.balance }),
  shortfall_micros: Math.max(0, quote.price - (quote.balance ?? 0)),
  currency: "USD",
  topup_url: quote.topupUrl,
  expires_at: iso(quote.now + validFor),
  accepts: quote.accepts,
})

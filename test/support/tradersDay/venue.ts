import { iso } from "../../../core/time.ts"
import { events } from "../kalshi.ts"
import { json, type Route } from "../replay.ts"

/** A recorded contract: its terms, its quote at a time in whole cents, and what became of it. */
export interface Recorded {
  readonly series: string
  readonly event: string
  readonly ticker: string
  readonly title: string
  readonly strikes?: Readonly<Record<string, unknown>>
  readonly rules: string
  readonly closeTime: number
  readonly settledAt: number
  readonly result: "yes" | "no"
  /** Undefined: nothing was recorded yet. */
  readonly quote: (now: number) => { readonly yesBid: number; readonly yesAsk: number } | undefined
}

const dollars = (cents: number): string => (cents / 100).toFixed(4)

const rowOf = (one: Recorded, now: number) => {
  const quote = one.quote(now)
  if (quote === undefined) return []
  const isSettled = one.settledAt <= now
  return [
    {
      ...{ ticker: one.ticker, event_ticker: one.event, market_type: "binary", title: one.title, ...one.strikes },
      status: isSettled ? "finalized" : now < one.closeTime ? "active" : "closed",
      ...{ close_time: iso(one.closeTime), rules_primary: one.rules },
      ...{ yes_bid_dollars: dollars(quote.yesBid), yes_ask_dollars: dollars(quote.yesAsk) },
      no_ask_dollars: dollars(100 - quote.yesBid),
      result: isSettled ? one.result : "",
      ...(isSettled && { settlement_ts: iso(one.settledAt) }),
    },
  ]
}

/** The venue over recorded contracts, with the fee of its general schedule, 0.07 · p · (1 − p). */
export const kalshiOver = (contracts: ReadonlyArray<Recorded>, now: () => number): ReadonlyArray<Route> => {
  const rows = (wanted: (one: Recorded) => boolean) => contracts.filter(wanted).flatMap((one) => rowOf(one, now()))
  return [
    {
      path: "/markets",
      reply: ({ query }) => {
        const [name, tickers] = [query.get("series_ticker"), query.get("tickers")?.split(",")]
        const markets = rows(({ series, ticker, closeTime }) =>
          tickers === undefined ? series === name && now() < closeTime : tickers.includes(ticker),
        )
        return json({ markets, cursor: "" })
      },
    },
    { path: "/historical/markets", reply: json({ markets: [], cursor: "" }) },
    { path: "/events", reply: ({ query }) => events(rows(({ series }) => series === query.get("series_ticker"))) },
    {
      path: /^\/series\//,
      reply: ({ path }) => json({ series: { ticker: path.split("/")[2], fee_type: "quadratic", fee_multiplier: 1 } }),
    },
  ]
}

import { deepStrictEqual } from "node:assert"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as kalshi from "../../adapters/lanes/markets/kalshi/venue.ts"
import { pricings } from "../../core/lanes/all.ts"
import type { PartialResult, Venue } from "../../core/lanes/markets/ports.ts"
import { clockAt } from "./clock.ts"
import { patient } from "./policy.ts"
import { json, type Payload, type Replay, type Route, replay } from "./replay.ts"

export const now = Date.UTC(2026, 6, 11, 15)

/** A market as the venue lists it. */
export const market = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ticker: "KXHIGHNY-26JUL12-T89",
  event_ticker: "KXHIGHNY-26JUL12",
  market_type: "binary",
  status: "active",
  title: "Will the **high temp in NYC** be >89° on Jul 12, 2026?",
  yes_sub_title: "90° or above",
  strike_type: "greater",
  floor_strike: 89,
  close_time: "2026-07-13T04:59:00Z",
  rules_primary:
    "If the highest temperature in New York is greater than 89 fahrenheit according to The Weather Company, yes.",
  yes_bid_dollars: "0.1600",
  yes_ask_dollars: "0.1900",
  no_ask_dollars: "0.8400",
  result: "",
  ...changes,
})

export const terms = (changes: Readonly<Record<string, unknown>> = {}) =>
  json({
    series: {
      ticker: "KXHIGHNY",
      fee_type: "quadratic",
      fee_multiplier: 1,
      settlement_sources: [{ name: "The Weather Company", url: "https://weather.example" }],
      ...changes,
    },
  })

/** The events of markets, each with its own fee or none. */
export const events = (markets: ReadonlyArray<unknown>, own: Readonly<Record<string, unknown>> = {}) => {
  const tickers = markets.map((row) => (row as { readonly event_ticker?: string } | null)?.event_ticker)
  const listed = [...new Set(tickers)].filter((event_ticker) => event_ticker !== undefined)
  return json({ events: listed.map((event_ticker) => ({ event_ticker, ...own })), cursor: "" })
}

interface Served {
  readonly pages?: ReadonlyArray<ReadonlyArray<unknown>>
  readonly series?: Payload
  readonly historical?: ReadonlyArray<unknown>
  readonly event?: Readonly<Record<string, unknown>>
}

/** The rows with a ticker that is asked for, where tickers are. */
const among = (rows: ReadonlyArray<unknown> = [], query: URLSearchParams): ReadonlyArray<unknown> => {
  const tickers = query.get("tickers")?.split(",")
  return rows.filter((row) => tickers?.includes(String((row as { readonly ticker?: unknown } | null)?.ticker)) ?? true)
}

export const serving = ({ pages = [[market()]], series = terms(), historical = [], event }: Served) => {
  const listed: Route = {
    path: "/trade-api/v2/markets",
    reply: ({ query }) => {
      if (query.get("series_ticker") !== null && query.get("series_ticker") !== "KXHIGHNY") {
        return json({ markets: [], cursor: "" })
      }
      const at = Number(query.get("cursor") ?? "0")
      return json({ markets: among(pages[at], query), cursor: at + 1 < pages.length ? String(at + 1) : "" })
    },
  }
  return replay([
    listed,
    {
      path: "/trade-api/v2/historical/markets",
      reply: ({ query }) => json({ markets: among(historical, query), cursor: "" }),
    },
    { path: /^\/trade-api\/v2\/series\/[A-Z]+$/, reply: series },
    { path: "/trade-api/v2/events", reply: events(pages.flat(), event) },
  ])
}

export const asking = <A, E>(upstream: Pick<Replay, "url">, body: (venue: Venue) => Effect.Effect<A, E>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    body(kalshi.make(client, `${upstream.url}/trade-api/v2`, pricings, patient)),
  ).pipe(Effect.provide(FetchHttpClient.layer), Effect.withClock(clockAt(now)))

/** The items of a result in which no part failed. */
export const whole = <A, E>(asked: Effect.Effect<PartialResult<A>, E>) =>
  Effect.map(asked, ({ items, failed }) => {
    deepStrictEqual(failed, [])
    return items
  })

export const weather = (venue: Venue) => whole(venue.open("weather"))
export const outcomesOf =
  (...tickers: ReadonlyArray<string>) =>
  (venue: Venue) =>
    whole(venue.outcomes(tickers))

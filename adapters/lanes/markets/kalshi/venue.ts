import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ContractPricing } from "../../../../core/contracts/ContractPricing.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import type { Domain } from "../../../../core/record/scoreboard/Settled.ts"
import { hour } from "../../../../core/time.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { callBudget, getJson, type RequestPolicy, type Upstream } from "../../../runtime/upstream/upstream.ts"
import { allPages, chunkByChunk, partByPart, readable } from "../venueRequests.ts"
import { ClosedMarket, contractOf, isOpen, Listed, outcomeOf, Page, Series, type SeriesTerms, termsOf } from "./wire.ts"

const pageSize = 1_000
/** Tickers per request. */
const tickersPerRequest = 100
/** Cache lifetime of a series' fees and sources, which change rarely. */
const termsLast = hour

/** Kalshi: quotes and results of the lanes' series. Needs no API key. */
export const make = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  pricings: ReadonlyArray<ContractPricing>,
  policy: RequestPolicy = {},
): Venue => {
  const upstream: Upstream = { ...Breaker.breakerNamed("kalshi", "Kalshi"), baseUrl, ...callBudget, ...policy }
  const series = new Map(pricings.map((pricing) => [pricing.domain, pricing.series[upstream.name] ?? []]))
  const known = new Map<string, { readonly at: number; readonly terms: SeriesTerms }>()

  const listed = (path: string, query: Readonly<Record<string, string>>) =>
    allPages(upstream, path, (cursor) =>
      Effect.map(
        getJson(client, upstream, Page, path, {
          ...query,
          limit: String(pageSize),
          ...(cursor === "" ? {} : { cursor }),
        }),
        ({ markets, cursor: next = "" }) => ({ rows: markets, next }),
      ),
    )

  const termsAt = (name: string, now: number) => {
    const before = known.get(name)
    if (before !== undefined && now - before.at < termsLast && now >= before.at) return Effect.succeed(before.terms)
    return getJson(client, upstream, Series, `/series/${name}`).pipe(
      Effect.map(termsOf),
      Effect.tap((terms) => Effect.sync(() => known.set(name, { at: now, terms }))),
    )
  }

  const readOpen = (domain: Domain, name: string) =>
    Effect.gen(function* () {
      const rows = yield* listed("/markets", { series_ticker: name, status: "open" })
      const now = yield* Clock.currentTimeMillis
      const markets = (yield* readable(Listed, upstream)(rows)).filter((market) => isOpen(market, name, now))
      if (markets.length === 0) return []
      const terms = yield* termsAt(name, now)
      return markets.map((market) => contractOf(market, domain, name, terms, now))
    })

  /** Markets settled long ago have another path. */
  const readEnded = (path: string, tickers: ReadonlyArray<string>) =>
    Effect.flatMap(listed(path, { tickers: tickers.join(",") }), readable(ClosedMarket, upstream))

  const readOutcomes = (tickers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const found = yield* readEnded("/markets", tickers)
      const seen = new Set(found.map(({ ticker }) => ticker))
      const missing = tickers.filter((ticker) => !seen.has(ticker))
      const archived = missing.length === 0 ? [] : yield* readEnded("/historical/markets", missing)
      return [...found, ...archived].flatMap((market) => outcomeOf(market) ?? [])
    })

  return {
    name: upstream.name,
    domains: [...series.keys()],
    open: (domain) =>
      partByPart(
        series.get(domain) ?? [],
        (name) => name,
        (name) => readOpen(domain, name),
      ),
    outcomes: (tickers) => chunkByChunk(tickers, tickersPerRequest, readOutcomes),
  }
}

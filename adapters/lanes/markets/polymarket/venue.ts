import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { series } from "../../../../core/lanes/crypto/contracts.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { callBudget, getJson, type RequestPolicy, type Upstream } from "../../../runtime/upstream/upstream.ts"
import { allPages, chunkByChunk, partByPart, readable } from "../venueRequests.ts"
import {
  afterOf,
  ClosedMarket,
  contractOf,
  Event,
  EventsPage,
  type Known,
  Listed,
  MarketsPage,
  outcomeOf,
} from "./wire.ts"

const pageSize = 100
/** Markets per request. */
const marketsPerRequest = 50

/**
 * Polymarket's gamma service: the price of an asset above strikes at noon, Eastern time. Its daily temperatures resolve on
 * hourly observations, not on the official report: no lane has a model of those, so they are excluded.
 */
export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): Venue => {
  const upstream: Upstream = { ...Breaker.breakerNamed("polymarket", "Polymarket"), baseUrl, ...callBudget, ...policy }

  /** All pages of a list. A cursor misses no row that is inserted between two pages, as an offset would. */
  const listed = <Page extends { readonly next_cursor?: string | undefined }, Wire>(
    path: string,
    schema: Schema.Schema<Page, Wire>,
    rowsOf: (page: Page) => ReadonlyArray<unknown>,
    query: Readonly<Record<string, string | ReadonlyArray<string>>>,
  ) =>
    allPages(upstream, path, (cursor) =>
      Effect.map(
        getJson(client, upstream, schema, path, {
          ...query,
          limit: String(pageSize),
          ...(cursor === "" ? {} : { after_cursor: cursor }),
        }),
        (page) => ({ rows: rowsOf(page), next: afterOf(page.next_cursor) }),
      ),
    )

  /** The events of a series that are not over. */
  const readEvents = (name: string) =>
    listed("/events/keyset", EventsPage, ({ events }) => events, { series_slug: name, closed: "false" })

  const readOpen = (name: Known) =>
    Effect.gen(function* () {
      const events = yield* Effect.flatMap(readEvents(name), readable(Event, upstream))
      const rows = events
        // A server may ignore an unknown filter.
        .filter(({ seriesSlug }) => seriesSlug === name)
        .flatMap(({ slug, markets = [] }) => markets.map((market) => ({ event: slug, market })))
      const listed = yield* readable(Listed, upstream)(rows)
      const now = yield* Clock.currentTimeMillis
      return listed.flatMap((one) => contractOf(one, name, now) ?? [])
    })

  const readOutcomes = (slugs: ReadonlyArray<string>) =>
    listed("/markets/keyset", MarketsPage, ({ markets }) => markets, { slug: slugs, closed: "true" }).pipe(
      Effect.flatMap(readable(ClosedMarket, upstream)),
      Effect.map((markets) => markets.flatMap((market) => outcomeOf(market) ?? [])),
    )

  return {
    name: upstream.name,
    domains: ["crypto"],
    open: (domain) =>
      partByPart(domain === "crypto" ? (Object.keys(series.polymarket) as Array<Known>) : [], (name) => name, readOpen),
    outcomes: (tickers) => chunkByChunk(tickers, marketsPerRequest, readOutcomes),
  }
}

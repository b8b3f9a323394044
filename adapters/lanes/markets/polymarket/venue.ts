import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { series } from "../../../../core/lanes/crypto/contracts.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import {
  callBudget,
  getJson,
  misshapen,
  type RequestPolicy,
  type Upstream,
  type UpstreamError,
} from "../../../runtime/upstream/upstream.ts"
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
  SeriesList,
} from "./wire.ts"

/** The service's own limit, whatever it is asked for. */
const pageSize = 100
/** A daily series has a week of events open at a time. */
const maxEventPages = 5
/** Markets per request. */
const marketsPerRequest = 50
const maxMarketPages = 2

/** The ids of series by slug, each asked for once. Events are filtered by id: a slug is no documented filter of them. */
const seriesIds = (client: HttpClient.HttpClient, upstream: Upstream) => {
  const ids = new Map<Known, string>()
  return (name: Known): Effect.Effect<string, UpstreamError> =>
    Effect.gen(function* () {
      const known = ids.get(name)
      if (known !== undefined) return known
      const list = yield* getJson(client, upstream, SeriesList, "/series", { slug: name, exclude_events: "true" })
      const found = list.filter(({ slug }) => slug === name)
      const [id, ...more] = found.map((series) => series.id)
      if (id === undefined || more.length > 0) {
        return yield* misshapen(upstream, `${found.length} series have the slug ${name}.`)
      }
      ids.set(name, id)
      return id
    })
}

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
    what: string,
    maxPages: number,
  ) =>
    allPages(
      upstream,
      what,
      (cursor) =>
        Effect.map(
          getJson(client, upstream, schema, path, {
            ...query,
            limit: String(pageSize),
            ...(cursor === "" ? {} : { after_cursor: cursor }),
          }),
          (page) => ({ rows: rowsOf(page), next: afterOf(page.next_cursor) }),
        ),
      maxPages,
    )

  const idOf = seriesIds(client, upstream)

  /** The events of a series that are not over. */
  const readEvents = (name: Known, id: string) =>
    listed(
      "/events/keyset",
      EventsPage,
      ({ events }) => events,
      { series_id: id, closed: "false" },
      `The list of open events of ${name}`,
      maxEventPages,
    )

  const readOpen = (name: Known) =>
    Effect.gen(function* () {
      const events = yield* Effect.flatMap(readEvents(name, yield* idOf(name)), readable(Event, upstream))
      const ours = events.filter(({ seriesSlug }) => seriesSlug === name)
      // A server may ignore a filter that it does not know.
      if (ours.length === 0 && events.length > 0) return yield* misshapen(upstream, `No event is of ${name}.`)
      const rows = ours.flatMap(({ slug, markets = [] }) => markets.map((market) => ({ event: slug, market })))
      const listed = yield* readable(Listed, upstream)(rows)
      const now = yield* Clock.currentTimeMillis
      return listed.flatMap((one) => contractOf(one, name, now) ?? [])
    })

  const readOutcomes = (slugs: ReadonlyArray<string>) =>
    listed(
      "/markets/keyset",
      MarketsPage,
      ({ markets }) => markets,
      { slug: slugs, closed: "true" },
      `The list of ${slugs.length} markets`,
      maxMarketPages,
    ).pipe(
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

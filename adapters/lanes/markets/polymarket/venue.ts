import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { venueSeries } from "../../../../core/lanes/crypto/contracts.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget, type Query, type RequestPolicy, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { allPages, chunkByChunk, partByPart, pickStated, readReadable } from "../venueRequests.ts"
import {
  ClosedMarket,
  cursorAfter,
  Event,
  EventsPage,
  type Known,
  Listed,
  MarketsPage,
  readContract,
  readOutcome,
  SeriesList,
} from "./wire.ts"

/** The service's own limit. */
const pageSize = 100
/** A daily series has a week of events open at a time. */
const maxEventPages = 5
const marketsPerRequest = 50
const maxMarketPages = 2

const seriesQuestion = Upstream.question(Upstream.readJson(SeriesList), {
  path: () => "/series",
  query: (slug: Known) => ({ slug, exclude_events: "true" }),
  identity: makeIdentityCheck({
    name: (slug) => `The list of series with the slug ${slug}`,
    says: { number: (list, name) => [list.filter(({ slug }) => slug === name).length, 1] },
  }),
})

interface Asked {
  readonly query: Query
  /** The series, or slugs. */
  readonly names: ReadonlyArray<string>
}

/** A server may ignore a filter that it does not know, so a page without any requested row is refused. */
const events = Upstream.question(Upstream.readJson(EventsPage), {
  path: () => "/events/keyset",
  query: ({ query }: Asked) => query,
  identity: makeIdentityCheck({
    name: ({ names }) => `The page of events of ${names}`,
    says: { seriesSlug: ({ events: rows }, { names }) => pickStated(rows, "seriesSlug", names.join(",")) },
  }),
})
const markets = Upstream.question(Upstream.readJson(MarketsPage), {
  path: () => "/markets/keyset",
  query: ({ query }: Asked) => query,
  identity: makeIdentityCheck({
    name: () => "The page of markets",
    says: { slug: ({ markets: rows }, { names }) => pickStated(rows, "slug", names.join(",")) },
  }),
})

export const polymarket = Upstream.define({
  ...{ name: "polymarket", title: "Polymarket", url: "https://gamma-api.polymarket.com", redirects: false },
  terms: "Polymarket's Terms of Use govern its data, and may forbid storing or selling them.",
  ...callBudget,
  questions: { seriesOf: seriesQuestion, events, markets },
  probe: ({ ask }) => ask(seriesQuestion, "btc-multi-strikes-weekly"),
})

/** The ids of series by slug, each read once. Events are filtered by id, since a slug is no documented filter. */
const seriesIds = ({ ask }: Upstream.Source) => {
  const ids = new Map<Known, string>()
  return (name: Known): Effect.Effect<string, UpstreamError> =>
    Effect.gen(function* () {
      const cached = ids.get(name)
      if (cached !== undefined) return cached
      const { id } = (yield* ask(seriesQuestion, name)).find(({ slug }) => slug === name)!
      ids.set(name, id)
      return id
    })
}

/**
 * Polymarket's gamma service: the price of an asset above strikes at noon, Eastern time. Its daily temperatures resolve on
 * hourly observations, not on the official report: no lane has a model of those, so they are excluded.
 */
export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): Venue => {
  const source = Upstream.openAt(polymarket, client, baseUrl, policy)
  const { ask, upstream } = source

  /** All pages of a list. A cursor misses no row that is inserted between two pages, as an offset would. */
  const listed = <Page extends { readonly next_cursor?: string | undefined }>(
    question: Upstream.Question<Asked, Page>,
    rowsOf: (page: Page) => ReadonlyArray<unknown>,
    { query, names }: Asked,
    what: string,
    maxPages: number,
  ) =>
    allPages(
      upstream,
      what,
      (cursor) =>
        Effect.map(
          ask(question, {
            names,
            query: { ...query, limit: String(pageSize), ...(cursor === "" ? {} : { after_cursor: cursor }) },
          }),
          (page) => ({ rows: rowsOf(page), next: cursorAfter(page.next_cursor) }),
        ),
      maxPages,
    )

  const findSeriesId = seriesIds(source)

  /** The events of a series that are not over. */
  const readEvents = (name: Known, id: string) =>
    listed(
      events,
      (page) => page.events,
      { query: { series_id: id, closed: "false" }, names: [name] },
      `The list of open events of ${name}`,
      maxEventPages,
    )

  const readOpen = (name: Known) =>
    Effect.gen(function* () {
      const all = yield* Effect.flatMap(readEvents(name, yield* findSeriesId(name)), readReadable(Event, upstream))
      const ours = all.filter(({ seriesSlug }) => seriesSlug === name)
      const rows = ours.flatMap(({ slug, markets = [] }) => markets.map((market) => ({ event: slug, market })))
      const listed = yield* readReadable(Listed, upstream)(rows)
      const now = yield* Clock.currentTimeMillis
      return listed.flatMap((one) => readContract(one, name, now) ?? [])
    })

  const readOutcomes = (slugs: ReadonlyArray<string>) =>
    listed(
      markets,
      (page) => page.markets,
      { query: { slug: slugs, closed: "true" }, names: slugs },
      `The list of ${slugs.length} markets`,
      maxMarketPages,
    ).pipe(
      Effect.flatMap(readReadable(ClosedMarket, upstream)),
      Effect.map((all) => all.flatMap((market) => (slugs.includes(market.slug) && readOutcome(market)) || [])),
    )

  return {
    name: upstream.name,
    domains: ["crypto"],
    open: (domain) =>
      partByPart(
        domain === "crypto" ? (Object.keys(venueSeries.polymarket) as Array<Known>) : [],
        (name) => name,
        readOpen,
      ),
    outcomes: (tickers) => chunkByChunk(tickers, marketsPerRequest, readOutcomes),
  }
}

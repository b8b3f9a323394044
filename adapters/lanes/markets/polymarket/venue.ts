import type * as HttpClient from "@effect/platform/HttpClient"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { series } from "../../../../core/lanes/crypto/contracts.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import { getJson, type RequestPolicy, type Upstream, UpstreamError } from "../../../upstream/upstream.ts"
import { readable } from "../decodeRows.ts"
import { partByPart } from "../partialRequests.ts"
import { ClosedMarket, contractOf, Event, type Known, Listed, outcomeOf, Rows } from "./wire.ts"

const pageSize = 100
/** Most pages of a list; more means a paging error. */
const maxPages = 50
/** Markets per request. */
const named = 50

/**
 * Polymarket's gamma service: the price of an asset above strikes at noon, Eastern time. Its daily temperatures resolve on
 * hourly observations, not on the official report: no lane has a model of those, so they are excluded.
 */
export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): Venue => {
  const upstream: Upstream = { name: "polymarket", baseUrl, ...policy }

  /** The open events of a series. */
  const eventsOf = (name: string) =>
    Effect.gen(function* () {
      const all: Array<unknown> = []
      for (let page = 0; page < maxPages; page++) {
        const found = yield* getJson(client, upstream, Rows, "/events", {
          series_slug: name,
          closed: "false",
          limit: String(pageSize),
          offset: String(page * pageSize),
        })
        all.push(...found)
        if (found.length < pageSize) return all
      }
      return yield* new UpstreamError({
        upstream: upstream.name,
        reason: "shape",
        message: `More than ${maxPages} pages.`,
      })
    })

  const openOf = (name: Known) =>
    Effect.gen(function* () {
      const events = yield* Effect.flatMap(eventsOf(name), readable(Event, upstream))
      const rows = events
        // A server may ignore an unknown filter.
        .filter(({ seriesSlug }) => seriesSlug === name)
        .flatMap(({ slug, markets = [] }) => markets.map((market) => ({ event: slug, market })))
      const listed = yield* readable(Listed, upstream)(rows)
      const now = yield* Clock.currentTimeMillis
      return listed.flatMap((one) => contractOf(one, name, now) ?? [])
    })

  const outcomesOf = (slugs: ReadonlyArray<string>) =>
    getJson(client, upstream, Rows, "/markets", { slug: slugs, closed: "true", limit: String(named) }).pipe(
      Effect.flatMap(readable(ClosedMarket, upstream)),
      Effect.map((markets) => markets.flatMap((market) => outcomeOf(market) ?? [])),
    )

  return {
    name: upstream.name,
    domains: ["crypto"],
    open: (domain) =>
      partByPart(domain === "crypto" ? (Object.keys(series.polymarket) as Array<Known>) : [], (name) => name, openOf),
    outcomes: (tickers) =>
      partByPart(Arr.chunksOf(tickers, named), (some) => `${some[0]} and ${some.length - 1} more`, outcomesOf),
  }
}

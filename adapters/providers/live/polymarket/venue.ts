import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { series } from "../../../../core/lanes/markets/mapping/crypto.ts"
import type { Venue } from "../../../../core/lanes/markets/providers.ts"
import { readable } from "../readable.ts"
import { getJson, type Manners, toFailure, type Upstream, UpstreamError } from "../upstream.ts"
import { contractOf, Ended, Events, Listed, Markets, outcomeOf } from "./wire.ts"

/** The tag under which events on prices are listed. */
const tag = "crypto-prices"
const pageSize = 100
const mostPages = 50

const known = new Set<string>(Object.keys(series.polymarket))

/**
 * Polymarket's gamma service: events on the price of bitcoin above strikes at noon, Eastern time. Its weather resolves on
 * hourly observations, which no lane has a model of.
 */
export const make = (client: HttpClient.HttpClient, baseUrl: string, manners: Manners = {}): Venue => {
  const upstream: Upstream = { name: "polymarket", baseUrl, ...manners }

  const events = Effect.gen(function* () {
    const all: Array<(typeof Events.Type)[number]> = []
    for (let page = 0; page < mostPages; page++) {
      const found = yield* getJson(client, upstream, Events, "/events", {
        tag_slug: tag,
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
      message: `More than ${mostPages} pages.`,
    })
  })

  const open = Effect.gen(function* () {
    const listed = (yield* events).filter(({ seriesSlug = "" }) => known.has(seriesSlug))
    const now = yield* Clock.currentTimeMillis
    const found = yield* Effect.forEach(listed, ({ slug, seriesSlug = "", markets = [] }) =>
      Effect.map(readable(Listed, upstream)(markets), (read) =>
        read.flatMap((market) => contractOf(market, slug, seriesSlug, now) ?? []),
      ),
    )
    return found.flat()
  })

  return {
    name: upstream.name,
    domains: ["crypto"],
    open: () => Effect.mapError(open, toFailure),
    outcomes: (tickers) =>
      Effect.forEach(tickers, (slug) =>
        Effect.flatMap(
          getJson(client, upstream, Markets, "/markets", { slug, closed: "true" }),
          readable(Ended, upstream),
        ),
      ).pipe(
        Effect.map((found) => found.flat().flatMap((market) => outcomeOf(market) ?? [])),
        Effect.mapError(toFailure),
      ),
  }
}

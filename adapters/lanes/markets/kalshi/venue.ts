import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ContractPricing } from "../../../../core/contracts/ContractPricing.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import type { Domain } from "../../../../core/record/scoreboard/Settled.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { minute } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget, type RequestPolicy, toFailure, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { allPages, chunkByChunk, partByPart, pickStated, readReadable } from "../venueRequests.ts"
import {
  ClosedMarket,
  EventTerms,
  isOpen,
  Listed,
  pageSchema,
  readContract,
  readFeeRate,
  readOutcome,
  Series,
  type SeriesTerms,
} from "./market.ts"

const pageSizes = { markets: 1_000, events: 200 }
const tickersPerRequest = 100
/** The longest age of a series' fees and sources, which change rarely, and of its events' own fees. */
const termsTtlMs = 10 * minute
/** After this many unreadable events in a round the others are not requested. */
const maxWithoutFees = 2

interface Asked {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

/** A server may ignore a filter that it does not know, so a page without any requested row is refused. */
const page = (name: "markets" | "events") =>
  Upstream.question(Upstream.readJson(pageSchema(name)), {
    path: ({ path }: Asked) => path,
    query: ({ query }) => query,
    identity: makeIdentityCheck({
      name: ({ path }) => `The page of ${path}`,
      says: {
        series: ({ rows }, { query: { series_ticker } }) =>
          pickStated(rows, "event_ticker", series_ticker, (ticker) => ticker.split("-")[0]!),
        tickers: ({ rows }, { query: { tickers } }) => pickStated(rows, "ticker", tickers),
      },
    }),
  })

const pages = { markets: page("markets"), events: page("events") }

const series = Upstream.question(Upstream.readJson(Series), {
  path: (name: string) => `/series/${name}`,
  identity: makeIdentityCheck({
    name: (name) => `The series ${name}`,
    says: { ticker: (answer, name) => [answer.series.ticker, name] },
  }),
})

/** Needs no API key. */
export const kalshi = Upstream.define({
  // The host for clients; the older api.elections.kalshi.com answers the same under KALSHI_URL.
  ...{ name: "kalshi", title: "Kalshi", url: "https://external-api.kalshi.com/trade-api/v2", redirects: false },
  terms:
    "Kalshi's Developer Agreement forbids caching, aggregating or sharing its data beyond a member's own trading; its Data Terms forbid commercial use.",
  ...callBudget,
  questions: { ...pages, series },
  probe: ({ ask }) => ask(series, "KXHIGHNY"),
})

/** A cache of values by series; an entry lives ten minutes. */
const cacheBySeries = <A>() => {
  const cache = new Map<string, { readonly readAt: number; readonly value: A }>()
  return {
    get: (series: string, now: number): A | undefined => {
      const entry = cache.get(series)
      return entry !== undefined && now - entry.readAt < termsTtlMs && now >= entry.readAt ? entry.value : undefined
    },
    set: (series: string, now: number, value: A): A => {
      cache.set(series, { readAt: now, value })
      return value
    },
  }
}

type EventFees = ReadonlyMap<string, typeof EventTerms.Type>

/** Fees by open event of a series. If unreadable, the last ones stand for ten minutes, then none; `notes` says so. */
const eventFees = (read: (series: string) => Effect.Effect<ReadonlyArray<typeof EventTerms.Type>, UpstreamError>) => {
  const cache = cacheBySeries<EventFees>()
  return (name: string, now: number, notes: Array<string>): Effect.Effect<EventFees> => {
    const last: EventFees = cache.get(name, now) ?? new Map()
    if (notes.length >= maxWithoutFees) return Effect.succeed(last)
    return Effect.match(read(name), {
      onSuccess: (events) => cache.set(name, now, new Map(events.map((event) => [event.event_ticker, event]))),
      onFailure: (error) => {
        notes.push(`The fees of ${name}'s events: ${toFailure(error).message}`)
        return last
      },
    })
  }
}

const seriesTerms = (read: (series: string) => Effect.Effect<SeriesTerms, UpstreamError>) => {
  const cache = cacheBySeries<SeriesTerms>()
  return (name: string, now: number) => {
    const terms = cache.get(name, now)
    return terms === undefined ? Effect.map(read(name), (value) => cache.set(name, now, value)) : Effect.succeed(terms)
  }
}

/** Reads results. Markets settled long ago have another path. */
const makeOutcomes =
  <E>(
    read: (path: string, tickers: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<typeof ClosedMarket.Type>, E>,
  ) =>
  (tickers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const recent = yield* read("/markets", tickers)
      const seen = new Set(recent.map(({ ticker }) => ticker))
      const missing = tickers.filter((ticker) => !seen.has(ticker))
      const archived = missing.length === 0 ? [] : yield* read("/historical/markets", missing)
      const asked = new Set(tickers)
      return [...recent, ...archived].flatMap((market) => (asked.has(market.ticker) && readOutcome(market)) || [])
    })

export const make = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  pricings: ReadonlyArray<ContractPricing>,
  policy: RequestPolicy = {},
): Venue => {
  const { ask, upstream } = Upstream.openAt(kalshi, client, baseUrl, policy)
  const all = new Map(pricings.map((pricing) => [pricing.domain, pricing.series[upstream.name] ?? []]))

  const listed = (path: string, query: Readonly<Record<string, string>>, name: keyof typeof pageSizes = "markets") =>
    allPages(upstream, path, (cursor) =>
      Effect.map(
        ask(pages[name], {
          path,
          query: { ...query, limit: String(pageSizes[name]), ...(cursor === "" ? {} : { cursor }) },
        }),
        ({ rows, cursor: next = "" }) => ({ rows, next }),
      ),
    )

  const readTerms = seriesTerms((name) => Effect.map(ask(series, name), (answer) => answer.series))

  const fetchEventFees = eventFees((name) =>
    Effect.flatMap(
      listed("/events", { series_ticker: name, status: "open" }, "events"),
      readReadable(EventTerms, upstream),
    ),
  )

  const readOpen = (domain: Domain, name: string, notes: Array<string>) =>
    Effect.gen(function* () {
      const rows = yield* listed("/markets", { series_ticker: name, status: "open" })
      const now = yield* Clock.currentTimeMillis
      const markets = (yield* readReadable(Listed, upstream)(rows)).filter((market) => isOpen(market, name, now))
      if (markets.length === 0) return []
      const terms = yield* readTerms(name, now)
      const byTicker = yield* fetchEventFees(name, now, notes)
      return markets.map((market) => {
        const feeRate = readFeeRate(market, terms, byTicker.get(market.event_ticker), now)
        return readContract(market, domain, name, terms, feeRate, now)
      })
    })

  const readEnded = (path: string, tickers: ReadonlyArray<string>) =>
    Effect.flatMap(listed(path, { tickers: tickers.join(",") }), readReadable(ClosedMarket, upstream))

  return {
    name: upstream.name,
    domains: [...all.keys()],
    open: (domain) =>
      Effect.suspend(() => {
        const notes: Array<string> = []
        const read = partByPart(
          all.get(domain) ?? [],
          (name) => name,
          (name) => readOpen(domain, name, notes),
        )
        return Effect.map(read, (found) => ({ ...found, notes }))
      }),
    outcomes: (tickers) => chunkByChunk(tickers, tickersPerRequest, makeOutcomes(readEnded)),
  }
}

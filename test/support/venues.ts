import { readFileSync } from "node:fs"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as kalshi from "../../adapters/lanes/markets/kalshi/venue.ts"
import * as polymarket from "../../adapters/lanes/markets/polymarket/venue.ts"
import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"
import { pricings } from "../../core/lanes/all.ts"
import type { Venue } from "../../core/lanes/markets/ports.ts"
import { events } from "./kalshi.ts"
import { patient } from "./policy.ts"
import { json, type Replay, type Route } from "./replay.ts"

/** The moment at which the samples were listed. */
export const listedAt = Date.UTC(2026, 6, 11, 15)

type Row = Readonly<Record<string, unknown>>

const sample = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/markets/${name}.json`, import.meta.url), "utf8"))

const samples = {
  kalshi: sample("kalshi") as {
    readonly open: ReadonlyArray<Row>
    readonly ended: ReadonlyArray<Row>
    /** Closed, and not through with. */
    readonly pending: ReadonlyArray<Row>
    /** Settled before the historical cut-off. */
    readonly archived: ReadonlyArray<Row>
    readonly series: Readonly<Record<string, unknown>>
  },
  polymarket: sample("polymarket") as {
    readonly events: ReadonlyArray<Row & { readonly markets: ReadonlyArray<Row> }>
    readonly ended: ReadonlyArray<Row>
    readonly pending: ReadonlyArray<Row>
  },
}

const namesOf = (rows: ReadonlyArray<Row>, key: string): ReadonlyArray<string> => rows.map((row) => String(row[key]))

/** A venue's stand-in: what it answers, and the names of what it has through with and what not. */
export interface Stand {
  readonly domain: "crypto" | "weather"
  readonly routes: ReadonlyArray<Route>
  readonly ended: ReadonlyArray<string>
  readonly pending: ReadonlyArray<string>
  /** The fields that its sample's markets have. */
  readonly fields: ReadonlySet<string>
  /** The client of it. */
  readonly over: (upstream: Pick<Replay, "url">, policy?: RequestPolicy) => Effect.Effect<Venue>
}

const fieldsOf = (rows: ReadonlyArray<Row>): ReadonlySet<string> => new Set(rows.flatMap((row) => Object.keys(row)))

const withClient = (make: (client: HttpClient.HttpClient) => Venue): Effect.Effect<Venue> =>
  Effect.map(HttpClient.HttpClient, make).pipe(Effect.provide(FetchHttpClient.layer))

const inPages = (rows: ReadonlyArray<unknown>, cursor: string | null, size: number) => {
  const at = Number(cursor ?? "0")
  return json({ markets: rows.slice(at, at + size), cursor: at + size < rows.length ? String(at + size) : "" })
}

/**
 * Kalshi with its sample, two markets a page however many are asked for. What was settled long ago is in the archive alone.
 *
 * @param change what stands in the place of each row
 */
export const kalshiStand = (change: (row: Row) => unknown = (row) => row): Stand => {
  const { open, ended, pending, archived, series } = samples.kalshi
  const lists =
    (rows: ReadonlyArray<Row>): Route["reply"] =>
    (request) => {
      const [tickers, name] = [request.query.get("tickers")?.split(","), request.query.get("series_ticker")]
      const found = rows.filter((row) =>
        tickers === undefined
          ? row["status"] === "active" && String(row["event_ticker"]).startsWith(`${name}-`)
          : tickers.includes(String(row["ticker"])),
      )
      return inPages(found.map(change), request.query.get("cursor"), 2)
    }
  return {
    domain: "weather",
    routes: [
      { path: "/markets", reply: lists([...open, ...ended, ...pending]) },
      { path: "/historical/markets", reply: lists(archived) },
      { path: "/events", reply: events(open) },
      ...Object.entries(series).map(([name, terms]) => ({ path: `/series/${name}`, reply: json(terms) })),
    ],
    ended: namesOf([...ended, ...archived], "ticker"),
    pending: namesOf(pending, "ticker"),
    fields: fieldsOf([...open, ...ended]),
    over: ({ url }, policy = patient) => withClient((client) => kalshi.make(client, url, pricings, policy)),
  }
}

/** Series of Polymarket's by slug, with ids of its form. */
export const polymarketIds = {
  "btc-multi-strikes-weekly": "10151",
  "ethereum-multi-strikes-weekly": "10152",
} as const

const idOf = (slug: unknown): string | undefined => polymarketIds[slug as keyof typeof polymarketIds]

/** Its list of series. */
export const seriesRoute: Route = {
  path: "/series",
  reply: ({ query }) => {
    const slug = query.get("slug") ?? ""
    const id = idOf(slug)
    return json(id === undefined ? [] : [{ id, slug, title: "Bitcoin and others", commentCount: 3 }])
  },
}

/** Polymarket's gamma service with its sample. */
export const polymarketStand = (change: (row: Row) => unknown = (row) => row): Stand => {
  const { events, ended, pending } = samples.polymarket
  return {
    domain: "crypto",
    routes: [
      seriesRoute,
      {
        path: "/events/keyset",
        reply: ({ query }) => {
          const found = events.filter(({ seriesSlug }) => idOf(seriesSlug) === query.get("series_id"))
          const at = Number(query.get("after_cursor") ?? "0")
          const page = found.slice(at, at + 1).map((event) => ({ ...event, markets: event.markets.map(change) }))
          // The last page names no next one.
          return json({ events: page, ...(at + 1 < found.length ? { next_cursor: String(at + 1) } : {}) })
        },
      },
      {
        path: "/markets/keyset",
        reply: ({ query }) =>
          json({
            markets: [...ended, ...pending]
              .filter(({ slug }) => query.getAll("slug").includes(String(slug)))
              .map(change),
          }),
      },
    ],
    ended: namesOf(ended, "slug"),
    pending: namesOf(pending, "slug"),
    fields: fieldsOf([...events.flatMap(({ markets }) => markets), ...ended]),
    over: ({ url }, policy = patient) => withClient((client) => polymarket.make(client, url, policy)),
  }
}

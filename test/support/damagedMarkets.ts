import type { DamagedLane } from "./damagedWorld.ts"
import type { Row } from "./payloadRows.ts"
import { begin, hour, later, rows, world } from "./worldSources.ts"

/** Rows that are left are right: a list has no count, and nothing is late. */
const fewerRows = ["cutRows", "shifted close_time"]

export const damagedMarkets = (): DamagedLane => {
  const { source, well } = world()
  const asked = (name: string) => (query: URLSearchParams) => query.has(name)
  return {
    name: "markets",
    settings: { markets: "live", crypto: "live" },
    sources: [
      source("kalshi", "/markets", {
        ...{
          title: "Kalshi's books",
          harmless: fewerRows,
          feeds: ["kalshi_books"],
          jobs: ["markets-quotes"],
          query: asked("series_ticker"),
        },
        others: { series: (text) => text.replace(/"event_ticker":"[^"-]+-/g, '"event_ticker":"KXOTHER-') },
        shape: rows((value) => value.markets, {
          needed: "yes_ask_dollars",
          figures: ["yes_bid_dollars", "close_time", "floor_strike"],
          move: (row, hours) => later(row, "close_time", hours),
        }),
      }),
      source("kalshi", "/markets", {
        ...{
          title: "Kalshi's results",
          harmless: fewerRows,
          feeds: ["kalshi_results"],
          jobs: ["markets-settle"],
          query: asked("tickers"),
        },
        others: { market: (text) => text.replace(/"ticker":"[^"]+"/g, '"ticker":"KXOTHER-26JAN01"') },
        shape: rows((value) => value.markets, { needed: "result", figures: [] }),
      }),
      source("kalshi", "/series/KXBTCD", {
        ...{ title: "Kalshi's fees", feeds: ["kalshi_books"], jobs: ["markets-quotes"] },
        shape: rows((value) => [value.series], { needed: "fee_type", figures: [] }),
        others: { series: (text) => text.replace(/"ticker":"[^"]+"/, '"ticker":"KXOTHER"') },
      }),
      source("kalshi", "/events", {
        // Contracts are quoted, without the fee of their event: the report tells, and no job fails.
        ...{ title: "Kalshi's events", harmless: fewerRows, feeds: ["kalshi_books"], jobs: [] },
        shape: rows((value) => value.events, { needed: "event_ticker", figures: [] }),
        others: { series: (text) => text.replace(/"event_ticker":"[^"-]+-/g, '"event_ticker":"KXOTHER-') },
      }),
      source("polymarket", "/series", {
        ...{ title: "Polymarket's series", feeds: ["polymarket_books"], jobs: ["markets-quotes"] },
        shape: rows((value) => value, { needed: "id", figures: [] }),
        others: { series: (text) => text.replace(/"slug":"[^"]+"/g, '"slug":"other"') },
      }),
      source("polymarket", "/events/keyset", {
        ...{ title: "Polymarket's books", harmless: fewerRows, feeds: ["polymarket_books"], jobs: ["markets-quotes"] },
        others: { series: (text) => text.replace(/"seriesSlug":"[^"]+"/g, '"seriesSlug":"other"') },
        shape: rows((value) => value.events[0].markets, {
          needed: "endDate",
          figures: [],
        }),
      }),
      source("polymarket", "/markets/keyset", {
        ...{
          title: "Polymarket's results",
          harmless: fewerRows,
          feeds: ["polymarket_results"],
          jobs: ["markets-settle"],
        },
        shape: rows((value) => value.markets, { needed: "outcomePrices", figures: [] }),
        others: { market: (text) => text.replace(/"slug":"[^"]+"/g, '"slug":"other"') },
      }),
    ],
    others: well("coinbase", "kraken"),
    jobs: ["crypto-tape", "markets-quotes", "markets-capture", "markets-settle"],
    calls: [
      {
        path: "/v1/markets/edge",
        figures: ({ edges }) => edges.map((row: Row) => [row["market"], row["model_probability"], row["price"]]),
        isNone: ({ count }) => count === 0,
        isList: true,
      },
    ],
    // An hour later it is noon in New York: one venue's day ends, and its next one is not listed.
    ...{ begin, period: 2 * hour, times: 4 },
  }
}

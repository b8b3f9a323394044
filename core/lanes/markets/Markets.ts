import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import { parseTickerDay } from "../../contracts/tickers.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, makeReadyCall } from "../../find/Findable.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import { domains } from "../../record/scoreboard/Settled.ts"
import { dayOf } from "../../time.ts"
import * as Lane from "../Lane.ts"
import type { Challenge } from "./challenge/Challenge.ts"
import { practiceTicker } from "./challenge/fields.ts"
import { edge, endpoints } from "./endpoints.ts"
import type { MarketHistory, OpenContracts, Scoreboard, SettledRows, SignalCalls } from "./ports.ts"

type Row = Endpoint.Results<typeof endpoints.benchContracts>["contracts"][number]

const toFindable = ({ market: ticker, venue, title, close_time }: Row): Findable => {
  const event = ticker.replace(/-[^-]*$/, "")
  return {
    kind: "contract",
    name: title,
    words: `${ticker} ${venue} contract market`,
    ids: { market: ticker, venue },
    zone: "America/New_York",
    day: parseTickerDay(event)?.day ?? dayOf(Date.parse(close_time)),
    group: event,
    calls: [
      makeReadyCall(endpoints.edge, "edge price odds mispriced fair value model", () => ({
        market: ticker,
        min_edge: 0,
      })),
      makeReadyCall(endpoints.history, "history moved over time past prices chart", () => ({ market: ticker })),
    ],
  }
}

/** The open contracts by domain, earliest close first. */
const finds: Finds = (ask) =>
  domains.map((domain) => ({
    what: `open ${domain} contracts`,
    read: Effect.map(ask(endpoints.benchContracts, { domain }), ({ contracts }) =>
      contracts.filter(({ market }) => market !== practiceTicker).map(toFindable),
    ),
  }))

export type MarketsPorts = Challenge | MarketHistory | OpenContracts | Scoreboard | SettledRows | SignalCalls

export type Markets = Lane.Id<"markets">
export const Markets = Lane.define("markets", {
  description: "Model against market: the edge board, the public record of both, and users' models beside them.",
  endpoints,
  finds,
  watches: [
    Watch.make(edge, "edge", {
      unit: "probability; with min_gain US dollars a contract",
      bar: ({ min_gain }) =>
        min_gain === undefined
          ? { param: "min_edge", least: minEdge / probabilityScale, unit: "probability" }
          : { param: "min_gain", least: 0, unit: "US dollars a contract" },
      read: ({ edges }, { min_gain }) =>
        edges.map(({ market: subject, edge, expected_gain: gain = Number.NEGATIVE_INFINITY }) =>
          min_gain === undefined
            ? { subject, measure: "edge", value: Math.abs(edge) }
            : { subject, measure: "expected_gain", value: gain },
        ),
    }),
  ],
})

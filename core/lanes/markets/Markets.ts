import * as Watch from "../../alerts/Watch.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import * as Lane from "../Lane.ts"
import type { Challenge } from "./challenge/Challenge.ts"
import { edge, endpoints } from "./endpoints.ts"
import { finds } from "./finds.ts"
import type { MarketHistory, OpenContracts, Scoreboard, SettledRows, SignalCalls } from "./ports.ts"

/** The lane's ports. */
export type MarketsPorts = Challenge | MarketHistory | OpenContracts | Scoreboard | SettledRows | SignalCalls

export type Markets = Lane.Id<"markets">
export const Markets = Lane.define("markets", {
  description: "Model against market: the edge board, the public record of both, and challengers of both.",
  endpoints,
  finds,
  watches: [
    Watch.make(edge, "edge", {
      unit: "probability; with min_gain US dollars a contract",
      bar: ({ min_gain }) =>
        min_gain === undefined
          ? { param: "min_edge", least: minEdge / probabilityScale }
          : { param: "min_gain", least: 0 },
      read: ({ edges }, { min_gain }) =>
        edges.map(({ market: subject, edge, expected_gain: gain = Number.NEGATIVE_INFINITY }) =>
          min_gain === undefined
            ? { subject, measure: "edge", value: Math.abs(edge) }
            : { subject, measure: "expected_gain", value: gain },
        ),
    }),
  ],
})

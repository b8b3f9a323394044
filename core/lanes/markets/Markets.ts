import * as Watch from "../../alerts/Watch.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import * as Lane from "../Lane.ts"
import type { Challenge } from "./challenge/Challenge.ts"
import { edge, endpoints } from "./endpoints.ts"
import type { MarketHistory, OpenContracts, Scoreboard, SettledRows, SignalCalls } from "./ports.ts"

/** The lane's ports. */
export type MarketsPorts = Challenge | MarketHistory | OpenContracts | Scoreboard | SettledRows | SignalCalls

export type Markets = Lane.Id<"markets">
export const Markets = Lane.define("markets", {
  description: "Model against market: the edge board, the public record of both, and challengers of both.",
  endpoints,
  watches: [
    Watch.make(edge, "edge", {
      unit: "probability",
      bar: { param: "min_edge", least: minEdge / probabilityScale },
      read: ({ edges }) => edges.map(({ market, edge }) => ({ subject: market, value: Math.abs(edge) })),
    }),
  ],
})

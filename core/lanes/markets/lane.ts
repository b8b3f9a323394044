import * as Watch from "../../alerts/Watch.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import type { Definition } from "../Lane.ts"
import { edge } from "./endpoints.ts"
import { Markets, type MarketsPorts } from "./Markets.ts"

export const markets: Definition<typeof Markets.lane, Feeds | MarketsPorts> = {
  lane: Markets.lane,
  layer: Markets.layer,
  recomputations: {},
  watches: [
    Watch.make(edge, "edge", {
      unit: "probability",
      bar: { param: "min_edge", least: minEdge / probabilityScale },
      read: ({ edges }) => edges.map(({ market, edge }) => ({ subject: market, value: Math.abs(edge) })),
    }),
  ],
}

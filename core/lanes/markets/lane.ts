import type { Feeds } from "../../feeds/Feeds.ts"
import type { Definition } from "../Definition.ts"
import { Markets, type MarketsPorts } from "./Markets.ts"

export const markets: Definition<typeof Markets.lane, Feeds | MarketsPorts> = {
  lane: Markets.lane,
  layer: Markets.layer,
  recomputations: {},
}

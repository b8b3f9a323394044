import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import type { Definition } from "../Definition.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import { Football, type FootballPorts } from "./Football.ts"
import { recompute } from "./model/recompute.ts"
import type { Games, RatingStates } from "./ports.ts"

export const football: Definition<
  typeof Football.lane,
  FootballPorts | PlatformCrypto | RatingStates,
  Football,
  Games
> = {
  lane: Football.lane,
  layer: Football.layer,
  recomputations: { [endpoints.fairLine.id]: recompute },
  pricing,
}

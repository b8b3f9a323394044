import type { Definition } from "../Definition.ts"
import { Baseball, type BaseballPorts } from "./Baseball.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import type { Slates } from "./ports.ts"
import { recompute } from "./recompute.ts"

export const baseball: Definition<typeof Baseball.lane, BaseballPorts, Baseball, Slates> = {
  lane: Baseball.lane,
  layer: Baseball.layer,
  recomputations: { [endpoints.fairOdds.id]: recompute },
  pricing,
}

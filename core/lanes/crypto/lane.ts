import type { Definition } from "../Definition.ts"
import { Crypto } from "./Crypto.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import type { Tape } from "./ports.ts"
import { recompute } from "./recompute.ts"

export const crypto: Definition<typeof Crypto.lane, Tape, Crypto, Tape> = {
  lane: Crypto.lane,
  layer: Crypto.layer,
  recomputations: { [endpoints.signal.id]: recompute },
  pricing,
}

import type { Recompute } from "../record/captures/recompute.ts"
import { endpoints as baseball } from "./baseball/endpoints.ts"
import { recompute as baseballOdds } from "./baseball/recompute.ts"
import { endpoints as crypto } from "./crypto/endpoints.ts"
import { recompute as cryptoSignal } from "./crypto/recompute.ts"
import { endpoints as football } from "./football/endpoints.ts"
import { recompute as footballLine } from "./football/model/recompute.ts"
import { endpoints as weather } from "./weather/endpoints.ts"
import { recompute as weatherSignal } from "./weather/signal/recompute.ts"

/** Recorded signals that can be computed again, by endpoint id. A lane that keeps its inputs adds a line. */
export const recomputations: ReadonlyMap<string, Recompute> = new Map([
  [baseball.fairOdds.id, baseballOdds],
  [crypto.signal.id, cryptoSignal],
  [football.fairLine.id, footballLine],
  [weather.signal.id, weatherSignal],
])

import type { Recompute } from "../record/replay.ts"
import { endpoints as crypto } from "./crypto/endpoints.ts"
import { recompute as cryptoSignal } from "./crypto/replay.ts"

/** Recorded signals that can be computed again, by endpoint id. A lane that keeps its inputs adds a line. */
export const recomputations: ReadonlyMap<string, Recompute> = new Map([[crypto.signal.id, cryptoSignal]])

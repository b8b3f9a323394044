import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Recompute } from "../../../record/captures/recompute.ts"
import { read } from "./inputs.ts"
import { outlookOf, outputOf } from "./signal.ts"

/** Recomputes a recorded temperature signal from its stored grid, observations, report and states. */
export const recompute: Recompute = (_, kept) =>
  Effect.flatMap(read(kept), (inputs) => Either.map(outlookOf(inputs), outputOf))

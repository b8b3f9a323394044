import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Recompute } from "../../../record/captures/recompute.ts"
import { read } from "./inputs.ts"
import { outlookOf, outputOf } from "./signal.ts"

/** A recorded temperature signal from the grid, readings, report and states that were kept with it. */
export const recompute: Recompute = (_, kept) =>
  Effect.flatMap(read(kept), (inputs) => Either.map(outlookOf(inputs), outputOf))

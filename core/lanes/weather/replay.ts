import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Recompute } from "../../record/replay.ts"
import type { Inputs } from "./outlook.ts"
import { outlookOf, outputOf } from "./signal.ts"

/** A recorded temperature signal from the grid, readings, report and states that were kept with it. */
export const recompute: Recompute = (_, inputs) =>
  Either.match(outlookOf(inputs as Inputs), {
    onLeft: Effect.fail,
    onRight: (found) => Effect.succeed(outputOf(found)),
  })

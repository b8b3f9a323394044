import * as Effect from "effect/Effect"
import type { Recompute } from "../../record/captures/recompute.ts"
import { coefficientsFor } from "./Model.ts"
import { outputOf } from "./output.ts"
import { type Inputs, winProbHome } from "./winProbability.ts"

interface StoredInputs {
  readonly game: { readonly season: number }
  readonly inputs: Inputs
  readonly league_era: number
}

/** Recomputes recorded fair odds from their stored inputs and the coefficients of their season. */
export const recompute: Recompute = (_, kept) =>
  Effect.sync(() => {
    const { game, inputs, league_era } = kept as StoredInputs
    return outputOf(winProbHome(inputs, coefficientsFor(game.season), league_era))
  })

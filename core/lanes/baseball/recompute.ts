import * as Effect from "effect/Effect"
import { rounded } from "../../endpoint/Rounding.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { fairOdds } from "./endpoints.ts"
import { coefficientsFor } from "./Model.ts"
import { type Inputs, winProbHome } from "./winProbability.ts"

/** The part of a signal that is scored, as served. */
export const outputOf = (win_prob_home: number) => rounded(fairOdds, { prediction: { win_prob_home } }).prediction

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

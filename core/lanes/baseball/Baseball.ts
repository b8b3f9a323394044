import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import { outputOf } from "./fairOdds.ts"
import { coefficientsFor, stackedFor } from "./Model.ts"
import type { PitchingLines, SeasonLines, Slates } from "./ports.ts"
import { driversOf, winProbOf } from "./skill/stack.ts"
import type { SkillTerms } from "./skill/states.ts"
import type { Inputs } from "./winProbability.ts"

interface StoredInputs {
  readonly game: { readonly season: number }
  readonly inputs: Inputs
  readonly league_era: number
  /** Absent in records of the model before the skills. */
  readonly skills?: SkillTerms
  /** The difference of the line-ups; absent before they are posted. */
  readonly line_up?: number
}

/** Recomputes recorded fair odds from their stored inputs and the coefficients of their season. */
const recompute: Recompute = (_, stored) =>
  Effect.sync(() => {
    const { game, inputs, league_era, skills, line_up } = stored as StoredInputs
    const stacked = stackedFor(game.season, skills, line_up)
    return outputOf(winProbOf(driversOf(inputs, coefficientsFor(game.season), league_era, stacked)))
  })

/** The lane's ports. */
export type BaseballPorts = PitchingLines | SeasonLines | Slates

export type Baseball = Lane.Id<"baseball">
export const Baseball = Lane.define("baseball", {
  description: "MLB games, and the model's win probabilities.",
  endpoints,
  recomputations: { [endpoints.fairOdds.id]: recompute },
  pricing,
  watches: [
    Watch.make(endpoints.fairOdds, "move", {
      unit: "probability",
      read: ({ game: { gamePk }, prediction: { win_prob_home } }) => ({
        subject: String(gamePk),
        levels: { win_prob_home },
      }),
    }),
  ],
})

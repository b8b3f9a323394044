import * as Effect from "effect/Effect"
import type { Extras } from "../../endpoint/Answer.ts"
import { dayOf } from "../../time.ts"
import type { ListedGame } from "./ports.ts"
import { type Coefficients, type Inputs, winProbHome } from "./winProbability.ts"

/** The same game on other ground: without the home edge, or with it where there is none. */
const elsewhere = (inputs: Inputs, coefficients: Coefficients): Inputs => ({
  ...inputs,
  home_edge: inputs.home_edge === 0 ? coefficients.home_edge : 0,
})

/** The same game as if nobody knew the starters. */
const withoutStarters = ({ home_starter_era: _home, away_starter_era: _away, ...inputs }: Inputs): Inputs => inputs

export const extrasOf = (game: ListedGame, inputs: Inputs, coefficients: Coefficients, leagueEra: number): Extras => {
  const win = (some: Inputs): number => winProbHome(some, coefficients, leagueEra)
  return {
    alternatives: Effect.sync(() => [
      {
        id: "teams-alone",
        label: `Home wins with ${win(withoutStarters(inputs)).toFixed(4)} by the teams' runs alone`,
        score: 0,
        why: "The same model with the league's mean for both starters.",
      },
    ]),
    counterfactual: Effect.sync(() => {
      const other = elsewhere(inputs, coefficients)
      const result = win(other)
      return {
        input: "home_edge",
        from: inputs.home_edge,
        to: other.home_edge,
        result: { win_prob_home: result, win_prob_away: 1 - result },
        delta: { win_prob_home: result - win(inputs) },
      }
    }),
    suggestions: [
      {
        endpoint: "mlb_games",
        params: { date: dayOf(game.firstPitch) },
        why: "The other games of the day, with their starters.",
      },
      { endpoint: "mlb_performance", params: {}, why: "What the model was worth in seasons it was not fitted on." },
    ],
  }
}

import * as Effect from "effect/Effect"
import type { Extras } from "../../endpoint/Answer.ts"
import { dayOf } from "../../time.ts"
import type { ListedGame } from "./ports.ts"
import { type Coefficients, type Inputs, winProbHome } from "./winProbability.ts"

/** The same game without the home edge or, at a neutral site, with it. */
const elsewhere = (inputs: Inputs, coefficients: Coefficients): Inputs => ({
  ...inputs,
  home_edge: inputs.home_edge === 0 ? coefficients.home_edge : 0,
})

/** The same game with unknown starters. */
const withoutStarters = ({ home_starter_era: _home, away_starter_era: _away, ...inputs }: Inputs): Inputs => inputs

export const extrasOf = (game: ListedGame, inputs: Inputs, coefficients: Coefficients, leagueEra: number): Extras => {
  const win = (some: Inputs): number => winProbHome(some, coefficients, leagueEra)
  return {
    alternatives: Effect.sync(() => [
      {
        id: "teams-alone",
        label: `Home win probability ${win(withoutStarters(inputs)).toFixed(4)} from the teams' runs alone`,
        score: 0,
        why: "The same model with the league-mean ERA for both starters.",
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
        why: "Other games of the day, with their starters.",
      },
      { endpoint: "mlb_performance", params: {}, why: "Backtest of the model on seasons outside its fit." },
    ],
  }
}

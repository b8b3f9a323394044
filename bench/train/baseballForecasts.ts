import type { Seasons } from "../../core/bench/seasons.ts"
import { edgeOf, type Forecasts, fitFor, seasonalFits } from "../../core/lanes/baseball/bench/regression.ts"
import { type Played, walk } from "../../core/lanes/baseball/bench/walk.ts"
import type { Hyperparameters } from "../../core/lanes/baseball/parameters.ts"
import { type Coefficients, differencesOf, inputsOf, winProbHome } from "../../core/lanes/baseball/winProbability.ts"

/** The model's coefficients for one season. */
export interface SeasonCoefficients extends Coefficients {
  readonly season: number
  /** Number of games fitted, all of earlier seasons. */
  readonly games: number
}

const none: Coefficients = { home_edge: 0, pythagorean: 0, starter_era: 0 }

/** Fits the model and applies the published, rounded coefficients to every game that a fit serves. */
export const fitModel = (games: ReadonlyArray<Played>, fitted: Seasons, parameters: Hyperparameters) => {
  const known = [...walk(games, parameters)]
  const differences = new Map(
    known.map(({ game, matchup }) => [
      game.id,
      [edgeOf(game), ...differencesOf(inputsOf(matchup, none, parameters), matchup.leagueEra)],
    ]),
  )
  const coefficients = seasonalFits(games, ({ id }) => differences.get(id)!, fitted).map(
    ({ season, games: count, coefficients: [home_edge, expectation, starter_era] }): SeasonCoefficients => ({
      season,
      games: count,
      home_edge: home_edge!,
      pythagorean: expectation!,
      starter_era: starter_era!,
    }),
  )
  const forecasts: Forecasts = new Map(
    known.flatMap(({ game, matchup }) => {
      const fit = fitFor(coefficients, game.season)
      return fit === undefined
        ? []
        : [[game.id, winProbHome(inputsOf(matchup, fit, parameters), fit, matchup.leagueEra)] as const]
    }),
  )
  return { coefficients, forecasts }
}

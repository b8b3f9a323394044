import type { Seasons } from "../../core/bench/seasons.ts"
import { edgeOf, type Forecasts, fitFor, ridge, seasonalFits } from "../../core/lanes/baseball/bench/regression.ts"
import { type Played, walk } from "../../core/lanes/baseball/bench/walk.ts"
import type { Hyperparameters } from "../../core/lanes/baseball/parameters.ts"
import {
  driversOf,
  type SkillCoefficients,
  skillCoefficientNames,
  skillRegressors,
  winProbOf,
} from "../../core/lanes/baseball/skill/stack.ts"
import { type Coefficients, differencesOf, inputsOf, winProbHome } from "../../core/lanes/baseball/winProbability.ts"
import { logit } from "../../core/math/logistic.ts"

interface Fitted {
  readonly season: number
  /** Number of games fitted, all of earlier seasons. */
  readonly games: number
}

/** The coefficients for one season. */
export type SeasonCoefficients = Coefficients & Fitted
export type SeasonSkillCoefficients = SkillCoefficients & Fitted

const none: Coefficients = { home_edge: 0, pythagorean: 0, starter_era: 0 }

/** The log-odds from runs, and the coefficients behind them. */
const fitRuns = (games: ReadonlyArray<Played>, fitted: Seasons, parameters: Hyperparameters) => {
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
  return { known, coefficients, forecasts }
}

/**
 * Fits the model and applies the published, rounded coefficients to every game that a fit serves.
 *
 * @param fitted the seasons on which the log-odds from runs are fitted; those with skills are fitted on every season with them
 */
export const fitModel = (games: ReadonlyArray<Played>, fitted: Seasons, parameters: Hyperparameters) => {
  const { known, coefficients, forecasts: runs } = fitRuns(games, fitted, parameters)
  const seasons = games.flatMap(({ skill, season }) => (skill === undefined ? [] : [season]))
  const skilled = { from: Math.min(...seasons), to: Math.max(...seasons) }
  const regressorsOf = ({ id, skill }: Played) => {
    const p = runs.get(id)
    return skill === undefined || p === undefined ? undefined : skillRegressors(logit(p), skill)
  }
  const fits = seasons.length === 0 ? [] : seasonalFits(games, regressorsOf, skilled, ridge)
  // One season is too few.
  const skill = fits.slice(1).map(({ season, games: count, coefficients: values }): SeasonSkillCoefficients => {
    const named = Object.fromEntries(skillCoefficientNames.map((name, at) => [name, values[at]!]))
    return { season, games: count, ...(named as unknown as SkillCoefficients) }
  })
  const forecasts: Forecasts = new Map(
    known.flatMap(({ game, matchup }) => {
      const [fit, stack] = [fitFor(coefficients, game.season), fitFor(skill, game.season)]
      if (fit === undefined) return []
      const stacked = stack && game.skill && { terms: game.skill, coefficients: stack }
      return [
        [game.id, winProbOf(driversOf(inputsOf(matchup, fit, parameters), fit, matchup.leagueEra, stacked))] as const,
      ]
    }),
  )
  return { coefficients, skill, runs, forecasts }
}

import { LineUpCoefficients } from "../../../core/lanes/baseball/fields.ts"
import type { Hyperparameters } from "../../../core/lanes/baseball/parameters.ts"
import {
  homeWinProbability,
  listDrivers,
  type Stacked,
  skillCoefficientNames,
  toSkillRegressors,
} from "../../../core/lanes/baseball/skill/stack.ts"
import { type Coefficients, makeInputs, toDifferences } from "../../../core/lanes/baseball/winProbability.ts"
import { logit } from "../../../core/math/logistic.ts"
import type { Seasons } from "../compare/seasons.ts"
import { edgeOf, type Fit, type Forecasts, fitFor, onTop, ridge, seasonalFits } from "../lanes/baseball/regression.ts"
import { type Played, walk } from "../lanes/baseball/walk.ts"

interface Fitted {
  readonly season: number
  /** Number of games fitted, all of earlier seasons. */
  readonly games: number
}

type SeasonCoefficients = Coefficients & Fitted

const none: Coefficients = { home_edge: 0, pythagorean: 0, starter_era: 0 }

/** The log-odds from runs, and the coefficients behind them. */
const fitRuns = (games: ReadonlyArray<Played>, fitted: Seasons, parameters: Hyperparameters) => {
  const known = [...walk(games, parameters)]
  const differences = new Map(
    known.map(({ game, matchup }) => [
      game.id,
      [edgeOf(game), ...toDifferences(makeInputs(matchup, none, parameters), matchup.leagueEra)],
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
        : [
            [
              game.id,
              homeWinProbability(listDrivers(makeInputs(matchup, fit, parameters), fit, matchup.leagueEra)),
            ] as const,
          ]
    }),
  )
  return { known, coefficients, forecasts }
}

/** One regression of log-odds that are there already and further terms, on every season that has them but the first. */
const fitStack = <Name extends string>(
  games: ReadonlyArray<Played>,
  names: ReadonlyArray<Name>,
  regressorsOf: (game: Played) => ReadonlyArray<number> | undefined,
  method: Fit,
): ReadonlyArray<Readonly<Record<Name, number>> & Fitted> => {
  const seasons = games.flatMap((game) => (regressorsOf(game) === undefined ? [] : [game.season]))
  if (seasons.length === 0) return []
  const fits = seasonalFits(games, regressorsOf, { from: Math.min(...seasons), to: Math.max(...seasons) }, method)
  // One season is too few.
  return fits.slice(1).map(({ season, games: count, coefficients }) => ({
    ...{ season, games: count },
    ...(Object.fromEntries(names.map((name, at) => [name, coefficients[at]!])) as Record<Name, number>),
  }))
}

/**
 * Fits the model and applies the published, rounded coefficients to every game that a fit serves.
 *
 * @param fitted the seasons on which the log-odds from runs are fitted; those with skills, and with line-ups on top of
 * them, are fitted on every season that has them
 */
export const fitModel = (games: ReadonlyArray<Played>, fitted: Seasons, parameters: Hyperparameters) => {
  const { known, coefficients, forecasts: runs } = fitRuns(games, fitted, parameters)
  /** Forecasts with what is fitted so far. */
  const forecastsWith = (stackedOf: (game: Played) => Stacked | undefined): Forecasts =>
    new Map(
      known.flatMap(({ game, matchup }) => {
        const fit = fitFor(coefficients, game.season)
        if (fit === undefined) return []
        const drivers = listDrivers(makeInputs(matchup, fit, parameters), fit, matchup.leagueEra, stackedOf(game))
        return [[game.id, homeWinProbability(drivers)] as const]
      }),
    )
  const skill = fitStack(
    games,
    skillCoefficientNames,
    (game) => {
      const p = runs.get(game.id)
      return game.skill === undefined || p === undefined
        ? undefined
        : toSkillRegressors(edgeOf(game), logit(p), game.skill)
    },
    ridge,
  )
  const skilled = (game: Played): Stacked | undefined => {
    const fit = fitFor(skill, game.season)
    return fit && game.skill && { terms: game.skill, coefficients: fit }
  }
  const skills = forecastsWith(skilled)
  const lineUp = fitStack(
    games,
    Object.keys(LineUpCoefficients.fields) as ReadonlyArray<keyof typeof LineUpCoefficients.fields>,
    (game) =>
      game.lineUp === undefined || skilled(game) === undefined ? undefined : [logit(skills.get(game.id)!), game.lineUp],
    onTop,
  )
  const forecasts = forecastsWith((game) => {
    const [stacked, fit] = [skilled(game), fitFor(lineUp, game.season)]
    if (stacked === undefined || fit === undefined || game.lineUp === undefined) return stacked
    return { ...stacked, lineUp: { difference: game.lineUp, coefficients: fit } }
  })
  return { coefficients, skill, lineUp, runs, skills, forecasts }
}

import { logit } from "../../math/logistic.ts"
import type { FairOdds, RunCoefficients } from "./fields.ts"
import { noGames, type PitcherLine, type StarterForm, type TeamForm, type TeamLine } from "./lines.ts"
import type { Hyperparameters } from "./parameters.ts"

export interface Matchup {
  readonly home: TeamForm
  readonly away: TeamForm
  /** Absent while the starter is unknown. */
  readonly homeStarter?: StarterForm | undefined
  readonly awayStarter?: StarterForm | undefined
  /** True if neither team plays at home. */
  readonly neutral: boolean
  /** Earned runs per nine innings; used for an unknown starter. */
  readonly leagueEra: number
}

type Served = FairOdds["prediction"]["inputs"]

/** The inputs of the model, named as in answers. */
export type Inputs = Pick<Served, Exclude<keyof Served, `${string}_raw`>>

/** The fitted coefficients of the log-odds from runs. */
export type Coefficients = typeof RunCoefficients.Type

/**
 * The share of games that a team wins by its runs, S^x / (S^x + A^x).
 * Source: B. James's Pythagorean expectation, with today's customary exponent.
 */
export const computePythagorean = (
  { scored, allowed }: TeamLine,
  { pythagorean: { exponent, added } }: Hyperparameters,
): number => {
  const [s, a] = [(scored + added) ** exponent, (allowed + added) ** exponent]
  return s / (s + a)
}

/** The expectation of a season so far, shrunk to a prior with half of last season's distance from .5. */
export const shrinkPythagorean = ({ season, last = noGames }: TeamForm, parameters: Hyperparameters): number => {
  const { priorGames, carry } = parameters.pythagorean
  const start = 0.5 + carry * (computePythagorean(last, parameters) - 0.5)
  return (season.games * computePythagorean(season, parameters) + priorGames * start) / (season.games + priorGames)
}

/** Earned runs per nine innings, shrunk to the prior for a starter who has not pitched yet. */
export const shrinkEra = (
  { season, carried }: StarterForm,
  leagueEra: number,
  { starter: { priorInnings, newcomer } }: Hyperparameters,
): number => {
  const both = (of: keyof PitcherLine): number => season[of] + carried[of]
  return (9 * both("earnedRuns") + priorInnings * (leagueEra + newcomer)) / (both("innings") + priorInnings)
}

export const makeInputs = (matchup: Matchup, { home_edge }: Coefficients, parameters: Hyperparameters): Inputs => {
  const { home, away, homeStarter, awayStarter, neutral, leagueEra } = matchup
  return {
    home_pyth: shrinkPythagorean(home, parameters),
    away_pyth: shrinkPythagorean(away, parameters),
    home_games: home.season.games,
    away_games: away.season.games,
    ...(homeStarter && { home_starter_era: shrinkEra(homeStarter, leagueEra, parameters) }),
    ...(awayStarter && { away_starter_era: shrinkEra(awayStarter, leagueEra, parameters) }),
    home_edge: neutral ? 0 : home_edge,
  }
}

/** The differences that the coefficients multiply: of expectations, in log-odds, and of earned runs. */
export const toDifferences = (
  { home_pyth, away_pyth, home_starter_era, away_starter_era }: Inputs,
  leagueEra: number,
): readonly [pythagorean: number, starterEra: number] => [
  logit(home_pyth) - logit(away_pyth),
  (away_starter_era ?? leagueEra) - (home_starter_era ?? leagueEra),
]

import { logit } from "../../math/logistic.ts"
import type { FairOdds, RunCoefficients } from "./fields.ts"
import { noGames, type PitcherLine, type StarterForm, type TeamForm, type TeamLine } from "./lines.ts"
import type { Hyperparameters } from "./parameters.ts"

/** The data of a game before its first pitch. */
export interface Matchup {
  readonly home: TeamForm
  readonly away: TeamForm
  /** Absent while the starter is unknown. */
  readonly homeStarter?: StarterForm | undefined
  readonly awayStarter?: StarterForm | undefined
  /** Played where neither team is at home. */
  readonly neutral: boolean
  /** Earned runs per nine innings; used for an unknown starter. */
  readonly leagueEra: number
}

type Served = FairOdds["prediction"]["inputs"]

/** The inputs of the model, by their names on the wire. */
export type Inputs = Pick<Served, Exclude<keyof Served, `${string}_raw`>>

/** Fitted log-odds: of the home team; per log-odds of expectation; per earned run of the other side's starter. */
export type Coefficients = typeof RunCoefficients.Type

/**
 * The share of games that a team wins by its runs, S^x / (S^x + A^x).
 * Source: B. James's Pythagorean expectation, with the exponent in use since.
 */
export const pythagorean = (
  { scored, allowed }: TeamLine,
  { pythagorean: { exponent, added } }: Hyperparameters,
): number => {
  const [s, a] = [(scored + added) ** exponent, (allowed + added) ** exponent]
  return s / (s + a)
}

/** The expectation of a season so far, shrunk to a prior with half of last season's distance from .5. */
export const regressedPythagorean = ({ season, last = noGames }: TeamForm, parameters: Hyperparameters): number => {
  const { priorGames, carry } = parameters.pythagorean
  const start = 0.5 + carry * (pythagorean(last, parameters) - 0.5)
  return (season.games * pythagorean(season, parameters) + priorGames * start) / (season.games + priorGames)
}

/** Earned runs per nine innings, shrunk to the prior for a starter who has not pitched yet. */
export const regressedEra = (
  { season, carried }: StarterForm,
  leagueEra: number,
  { starter: { priorInnings, newcomer } }: Hyperparameters,
): number => {
  const both = (of: keyof PitcherLine): number => season[of] + carried[of]
  return (9 * both("earnedRuns") + priorInnings * (leagueEra + newcomer)) / (both("innings") + priorInnings)
}

/** The model's inputs of a matchup. */
export const modelInputs = (matchup: Matchup, { home_edge }: Coefficients, parameters: Hyperparameters): Inputs => {
  const { home, away, homeStarter, awayStarter, neutral, leagueEra } = matchup
  return {
    home_pyth: regressedPythagorean(home, parameters),
    away_pyth: regressedPythagorean(away, parameters),
    home_games: home.season.games,
    away_games: away.season.games,
    ...(homeStarter && { home_starter_era: regressedEra(homeStarter, leagueEra, parameters) }),
    ...(awayStarter && { away_starter_era: regressedEra(awayStarter, leagueEra, parameters) }),
    home_edge: neutral ? 0 : home_edge,
  }
}

/** The differences multiplied by the coefficients: of expectations in log-odds, and of earned runs. */
export const inputDifferences = (
  { home_pyth, away_pyth, home_starter_era, away_starter_era }: Inputs,
  leagueEra: number,
): readonly [pythagorean: number, starterEra: number] => [
  logit(home_pyth) - logit(away_pyth),
  (away_starter_era ?? leagueEra) - (home_starter_era ?? leagueEra),
]

import { logistic } from "../../../math/logistic.ts"
import { type FairOdds, type LineUpCoefficients, SkillCoefficients } from "../fields.ts"
import { type Coefficients, type Inputs, toDifferences } from "../winProbability.ts"
import type { SkillTerms } from "./states.ts"

export const skillCoefficientNames = Object.keys(SkillCoefficients.fields) as ReadonlyArray<
  keyof typeof SkillCoefficients.fields
>

/**
 * The regressors of the log-odds with skills, in the order of the coefficients; `edge` is 1, or 0 on neutral ground.
 */
export const toSkillRegressors = (edge: number, runsLogit: number, { kbb, lw }: SkillTerms): ReadonlyArray<number> => [
  edge,
  runsLogit,
  kbb.starter,
  kbb.bullpen,
  kbb.bats,
  lw.bullpen,
  lw.bats,
]

export type Driver = NonNullable<FairOdds["prediction"]["drivers"]>[number]

/** The skills and line-ups of a game with the coefficients for its season. */
export interface Stacked {
  readonly terms: SkillTerms
  readonly coefficients: typeof SkillCoefficients.Type
  /** Absent while a line-up is not posted. */
  readonly lineUp?: { readonly difference: number; readonly coefficients: typeof LineUpCoefficients.Type }
}

const skillFeatures = [
  "starters' strikeouts less walks",
  "bullpens' strikeouts less walks",
  "bats' strikeouts less walks",
  "bullpens' hits and walks",
  "bats' hits and walks",
]

/**
 * The parts of the home team's log-odds, which sum to it:
 * constant + runs · (home_edge + pythagorean · Δ logit pyth + starter_era · Δ era) + Σ coefficient · difference of skills
 * and, with line-ups, + line_up · difference of line-ups. On neutral ground, where `home_edge` is 0, the constant is 0 too,
 * since the sides are exchangeable.
 *
 * @param stacked absent without skills; the log-odds are then those from runs alone
 */
export const listDrivers = (
  inputs: Inputs,
  { pythagorean, starter_era }: Coefficients,
  leagueEra: number,
  stacked?: Stacked,
): ReadonlyArray<Driver> => {
  const [expectations, starters] = toDifferences(inputs, leagueEra)
  const { constant, runs } = stacked?.coefficients ?? { constant: 0, runs: 1 }
  const edge = inputs.home_edge === 0 ? 0 : 1
  const drivers: ReadonlyArray<Driver> = [
    { feature: "home field", log_odds: edge * constant + runs * inputs.home_edge },
    { feature: "runs scored and allowed", log_odds: runs * pythagorean * expectations },
    { feature: "starters' earned runs", log_odds: runs * starter_era * starters },
  ]
  if (stacked === undefined) return drivers
  const differences = toSkillRegressors(edge, 0, stacked.terms).slice(2)
  const weights = skillCoefficientNames.slice(2).map((name) => stacked.coefficients[name])
  const skills = [
    ...drivers,
    ...skillFeatures.map((feature, at) => ({ feature, log_odds: weights[at]! * differences[at]! })),
  ]
  if (stacked.lineUp === undefined) return skills
  const { difference, coefficients } = stacked.lineUp
  return [...skills, { feature: "line-ups", log_odds: coefficients.line_up * difference }]
}

const sumDrivers = (drivers: ReadonlyArray<Driver>): number => drivers.reduce((sum, { log_odds }) => sum + log_odds, 0)

/** The home team's win probability from the parts of its log-odds. */
export const homeWinProbability = (drivers: ReadonlyArray<Driver>): number => logistic(sumDrivers(drivers))

import type { Game } from "../data/Game.ts"
import { type MarginCovariate, marginCovariates } from "./covariates.ts"
import { type BlendWeights, type MarginDistribution, makeMarginDistribution } from "./distributions.ts"
import { toEloHome, toEloRest } from "./elo.ts"
import type { Hyperparameters } from "./parameters.ts"
import {
  advanceTo,
  computeEloLead,
  computeExpectation,
  findStarter,
  makeMarginTerms,
  makeTotalTerms,
  type Terms,
} from "./rating.ts"
import type { RatingState } from "./State.ts"
import * as slots from "./stateIndex.ts"

type Feature =
  | "home_offense"
  | "home_defense"
  | "home_qb"
  | "away_offense"
  | "away_defense"
  | "away_qb"
  | "home_field"
  | "home_field_team"
  | MarginCovariate
  | "elo_gap"

export interface Driver {
  readonly feature: Feature
  /** Positive: towards the home team. */
  readonly points: number
}

/** The starting quarterback that a prediction uses. */
export interface Starter {
  readonly id?: string
  /** True if the schedule names no starter, so that the last one is used or, without one, none. */
  readonly assumed: boolean
}

/** The model's prediction of a game from the state before it. */
export interface FairLine {
  /** Expected home minus away, points: the sum of the drivers. */
  readonly homeMargin: number
  /** The bookmaker's sign: −homeMargin. */
  readonly spread: number
  /** Expected points of both teams. */
  readonly total: number
  /** Half of a tie counts for each side, so both sum to 1. */
  readonly winProbHome: number
  readonly winProbAway: number
  /** Standard deviation of the margin, points. */
  readonly sigmaMargin: number
  /** The whole number with the least expected absolute error. */
  readonly medianMargin: number
  readonly margins: MarginDistribution
  /** Standard deviation of the total, points. */
  readonly sigmaTotal: number
  /** Largest first; none is 0. */
  readonly drivers: ReadonlyArray<Driver>
  /** Number of games of this season in the state. */
  readonly formGamesUsed: { readonly home: number; readonly away: number }
  readonly starters: { readonly home: Starter; readonly away: Starter }
  /** The members' unweighted margins; the next season's blend is fitted on them. */
  readonly members: { readonly kalman: number; readonly elo: number }
}

/**
 * The mean value of all teams' last starters, relative to which both quarterbacks of a game are shown; it cancels in the sum.
 * It is 0 if only one quarterback is known.
 */
const meanQuarterback = ({ mean, clubs, quarterbacks }: RatingState, terms: Terms): number => {
  if (terms.filter(([slot]) => slot >= slots.firstQuarterback).length < 2) return 0
  let sum = 0
  let count = 0
  for (const { starter } of clubs.values()) {
    const quarterback = quarterbacks.get(starter ?? "")
    if (quarterback === undefined) continue
    sum += mean[quarterback.slot]!
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

const findFeature = (slot: number, { home, away }: Game): Feature | "quarterback" => {
  switch (slot) {
    case slots.offense(home.team):
      return "home_offense"
    case slots.offense(away.team):
      return "away_offense"
    case slots.defense(home.team):
      return "home_defense"
    case slots.defense(away.team):
      return "away_defense"
    case slots.home:
      return "home_field"
    case slots.teamHome(home.team):
      return "home_field_team"
    default:
      return slot >= slots.firstQuarterback ? "quarterback" : marginCovariates[slot - slots.marginEffect(0)]!
  }
}

/**
 * The parts of the expected margin: each element's share in the filter's margin times the filter's weight, and Elo's lead,
 * home edge and rest times Elo's weight.
 */
const listDrivers = (
  state: RatingState,
  game: Game,
  link: BlendWeights,
  parameters: Hyperparameters,
): ReadonlyArray<Driver> => {
  const points = new Map<Feature, number>()
  const add = (feature: Feature, more: number) => points.set(feature, (points.get(feature) ?? 0) + more)
  const terms = makeMarginTerms(state, game)
  const usual = meanQuarterback(state, terms)
  for (const [slot, coefficient] of terms) {
    const share = link.kalman * coefficient
    const feature = findFeature(slot, game)
    if (feature !== "quarterback") add(feature, share * state.mean[slot]!)
    else add(coefficient > 0 ? "home_qb" : "away_qb", share * (state.mean[slot]! - usual))
  }
  const perElo = link.elo / parameters.elo.perPoint
  add("home_field", perElo * toEloHome(game, parameters))
  add("rest_diff", perElo * toEloRest(game, parameters))
  add("elo_gap", perElo * (state.clubs.get(game.home.team)!.elo - state.clubs.get(game.away.team)!.elo))
  return Array.from(points, ([feature, value]) => ({ feature, points: value }))
    .filter((driver) => driver.points !== 0)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
}

/**
 * The fair line of a game from the state before it and its schedule row. It uses neither the score in `game` nor any market's
 * line.
 *
 * The served margin is the mean of the blend, not the median of the distribution: it is the sum of the drivers, moves
 * smoothly with them, and its sign agrees with the win probabilities. The median, which key numbers pull towards 3 and 7,
 * is served too.
 *
 * @param state the state after the last gameday before the game's; a later one has hindsight
 * @param link of the game's season
 */
export const computeFairLine = (
  state: RatingState,
  game: Game,
  link: BlendWeights,
  parameters: Hyperparameters,
): FairLine => {
  const prior = advanceTo(state, [game], parameters)
  const drivers = listDrivers(prior, game, link, parameters)
  const homeMargin = drivers.reduce((sum, { points }) => sum + points, 0)
  const margins = makeMarginDistribution(homeMargin, link.sigma, link.weights)
  const starter = (side: Game["home"]): Starter => {
    const id = findStarter(prior, side)
    return { assumed: side.quarterback === undefined, ...(id !== undefined && { id }) }
  }
  return {
    homeMargin,
    spread: -homeMargin,
    total: computeExpectation(prior, makeTotalTerms(prior, game, parameters)),
    winProbHome: margins.winHome,
    winProbAway: 1 - margins.winHome,
    sigmaMargin: link.sigma,
    medianMargin: margins.median,
    margins,
    sigmaTotal: link.total.sigma,
    drivers,
    formGamesUsed: { home: prior.clubs.get(game.home.team)!.games, away: prior.clubs.get(game.away.team)!.games },
    starters: { home: starter(game.home), away: starter(game.away) },
    members: {
      kalman: computeExpectation(prior, makeMarginTerms(prior, game)),
      elo: computeEloLead(prior, game, parameters) / parameters.elo.perPoint,
    },
  }
}

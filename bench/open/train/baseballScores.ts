import { type Estimate, estimate } from "../../../core/math/estimate.ts"
import { type ReliabilityBin, reliability } from "../../../core/math/reliability.ts"
import { brier } from "../../../core/math/score.ts"
import { includes, type Seasons } from "../compare/seasons.ts"
import { type Price, profit } from "../lanes/baseball/data.ts"
import { type Forecasts, homeWon } from "../lanes/baseball/regression.ts"
import type { Contender } from "../lanes/baseball/task.ts"
import { named } from "../lanes/baseball/task.ts"
import type { Played } from "../lanes/baseball/walk.ts"

/** Scores of one forecaster; `against` is the paired difference from another on the same games, below 0 is better. */
export interface Row {
  readonly name: string
  readonly games: number
  readonly brier: Estimate
  readonly brier_against?: Estimate
  /** Correct winners; a probability of exactly ½ counts half. */
  readonly accuracy: Estimate
}

/** A game with a winner. */
export interface Decided {
  readonly game: Played
  readonly won: boolean
}

/** The games of some seasons with a probability of every forecaster. */
export const comparable = (
  games: ReadonlyArray<Played>,
  seasons: Seasons,
  contenders: ReadonlyArray<Contender>,
): ReadonlyArray<Decided> =>
  games.flatMap((game) => {
    const won = homeWon(game)
    const isCommon = includes(seasons, game.season) && contenders.every(([, some]) => some.has(game.id))
    return won !== undefined && isCommon ? [{ game, won }] : []
  })

export const rowOf = (name: string, games: ReadonlyArray<Decided>, forecasts: Forecasts, against?: Forecasts): Row => {
  const scores = (some: Forecasts) => games.map(({ game, won }) => brier(some.get(game.id)!, won))
  const own = scores(forecasts)
  const other = against === undefined ? undefined : scores(against)
  return {
    name,
    games: games.length,
    brier: estimate(own),
    ...(other && { brier_against: estimate(own.map((value, at) => value - other[at]!)) }),
    accuracy: estimate(games.map(({ game, won }) => named(forecasts.get(game.id)!, won))),
  }
}

/** Calibration of the probabilities. */
export interface Calibration {
  /** Expected calibration error. */
  readonly ece: number
  readonly bins: ReadonlyArray<ReliabilityBin>
}

export const calibrationOf = (games: ReadonlyArray<Decided>, forecasts: Forecasts, bins = 10): Calibration => {
  const table = reliability(bins)
  for (const { game, won } of games) table.add(forecasts.get(game.id)!, won)
  return { ece: table.error(), bins: table.bins() }
}

/** Flat bets of one unit at a price. */
export interface Bets {
  readonly bets: number
  readonly wins: number
  readonly losses: number
  readonly hit_rate: number
  /** Net result. */
  readonly units: number
  /** Net result per unit staked. */
  readonly roi: Estimate
}

/** Least expected value per unit for a bet. */
const leastValue = 0.05

/** Result of betting on every side that the forecasts find more than 5 % underpriced. */
export const betsOf = (
  games: ReadonlyArray<Decided>,
  forecasts: Forecasts,
  prices: ReadonlyMap<string, Price>,
): Bets => {
  const results = games.flatMap(({ game, won }) => {
    const price = prices.get(game.id)!
    const home = forecasts.get(game.id)!
    const sides = [
      { p: home, gain: profit(price.home), isWin: won },
      { p: 1 - home, gain: profit(price.away), isWin: !won },
    ]
    return sides.filter(({ p, gain }) => p * (1 + gain) - 1 > leastValue).map(({ gain, isWin }) => (isWin ? gain : -1))
  })
  const wins = results.filter((result) => result > 0).length
  return {
    bets: results.length,
    wins,
    losses: results.length - wins,
    hit_rate: wins / results.length,
    units: results.reduce((sum, result) => sum + result, 0),
    roi: estimate(results),
  }
}

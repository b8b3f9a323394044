import { ifDefined } from "../../../core/ifDefined.ts"
import type { MarketLines } from "../../../core/lanes/football/data/Game.ts"
import { scoreForecast } from "../../../core/lanes/football/model/score.ts"
import { type ClusteredEstimate, ratio } from "../../../core/math/clusters.ts"
import { type Estimate, estimate } from "../../../core/math/estimate.ts"
import * as normal from "../../../core/math/normal.ts"
import { type ReliabilityBin, reliability } from "../../../core/math/reliability.ts"
import { shareWithin } from "../../../core/math/score.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import type { Played } from "../lanes/football/data.ts"
import type { Forecasts } from "../lanes/football/task.ts"
import type { PredictedGame } from "./footballWalk.ts"

/**
 * Whether the outcome lies on the same side of the market's line as the model's number.
 *
 * @param fair the model's number, `line` the market's, `outcome` the actual one; margins or totals
 * @returns undefined for a push, and when both numbers are the same
 */
export const beatsLine = (fair: number, line: number, outcome: number): boolean | undefined =>
  outcome === line || fair === line ? undefined : fair > line === outcome > line

/** The break-even share of won bets at −110: 110 / 210. */
export const breakeven: number = 110 / 210

/** Scores of one forecaster; `close` is the paired difference from the market on the same games, below 0 is better. */
export interface Row {
  readonly name: string
  readonly games: number
  readonly mae: Estimate
  readonly mae_close: Estimate
  readonly rmse: number
  readonly su_accuracy: Estimate
  /** On the games with both moneylines. */
  readonly brier?: Estimate
  readonly brier_close?: Estimate
  readonly total_mae?: Estimate
  readonly total_mae_close?: Estimate
}

/** Both scores of every game that both forecasters predict. */
const paired = (
  games: ReadonlyArray<Played>,
  forecasts: Forecasts,
  close: Forecasts,
  measure: (scored: ReturnType<typeof scoreForecast>) => number | undefined,
) =>
  games.flatMap(({ id, score }) => {
    const [own, other] = [forecasts, close].map((some) => {
      const forecast = some.get(id)
      return forecast === undefined ? undefined : measure(scoreForecast(forecast, score))
    })
    return own === undefined || other === undefined ? [] : [[own, other] as const]
  })

const absolute = (error: number | undefined): number | undefined => (error === undefined ? undefined : Math.abs(error))

export const rowOf = (name: string, games: ReadonlyArray<Played>, forecasts: Forecasts, close: Forecasts): Row => {
  const margins = paired(games, forecasts, close, ({ marginError }) => Math.abs(marginError))
  const totals = paired(games, forecasts, close, ({ totalError }) => absolute(totalError))
  const winners = paired(games, forecasts, close, ({ winner }) => winner)
  const briers = paired(games, forecasts, close, ({ brier }) => brier)
  const own = (pairs: typeof margins) => estimate(pairs.map(([value]) => value))
  const difference = (pairs: typeof margins) => estimate(pairs.map(([value, other]) => value - other))
  return {
    name,
    games: margins.length,
    mae: own(margins),
    mae_close: difference(margins),
    rmse: Math.sqrt(margins.reduce((sum, [error]) => sum + error * error, 0) / margins.length),
    su_accuracy: own(winners),
    ...(briers.length > 0 && { brier: own(briers), brier_close: difference(briers) }),
    ...(totals.length > 0 && { total_mae: own(totals), total_mae_close: difference(totals) }),
  }
}

/** Calibration of the uncertainty. */
export interface Calibration {
  /** Standard deviation of (outcome − expectation) / sigma: 1 when sigma is right. */
  readonly z_sd: number
  /** Share of outcomes within the central half and four fifths of the normal distribution. */
  readonly within_50: number
  readonly within_80: number
  /** Mean log score of the margin under its discrete distribution, and under the plain normal one, nats. */
  readonly log_discrete: number
  readonly log_normal: number
  /** Expected calibration error of the win probabilities over ten bins, without ties. */
  readonly ece: number
  readonly bins: ReadonlyArray<ReliabilityBin>
}

export const calibrationOf = (predictions: ReadonlyArray<PredictedGame>): Calibration => {
  const table = reliability(10)
  const z: Array<number> = []
  let discrete = 0
  let plain = 0
  for (const { game, line } of predictions) {
    const margin = game.score!.home - game.score!.away
    const off = (margin - line.homeMargin) / line.sigmaMargin
    z.push(off)
    discrete -= Math.log(line.margins.pmf[margin + 60]!)
    plain -= Math.log(normal.pdf(off) / line.sigmaMargin)
    if (margin !== 0) table.add(line.winProbHome, margin > 0)
  }
  const n = predictions.length
  const [half, most] = [normal.quantile(0.75), normal.quantile(0.9)]
  return {
    z_sd: Math.sqrt(z.reduce((sum, off) => sum + off * off, 0) / n),
    within_50: shareWithin(z, -half, half),
    within_80: shareWithin(z, -most, most),
    log_discrete: discrete / n,
    log_normal: plain / n,
    ece: table.error(),
    bins: table.bins().filter(({ count }) => count > 0),
  }
}

/** Games of a week are drawn together, as in the bench. */
export const weekOf = ({ season, week }: Pick<Played, "season" | "week">): string => `${season}/${week}`

const sampling = () => ({ replicates: 2_000, level: 0.95, generator: xoshiro128(1) })

/** A mean over games with its interval of 95 %. */
export const weeklyMean = (values: ReadonlyArray<number>, weeks: ReadonlyArray<string>): ClusteredEstimate =>
  ratio(
    values,
    values.map(() => 1),
    weeks,
    sampling(),
  )

/** Bets at the close, on the model's side, of games by the points between model and close. */
export interface EdgeRecord {
  readonly from: number
  readonly to?: number
  readonly wins: number
  readonly losses: number
  readonly pushes: number
  /** Share won of those decided. */
  readonly hit: ClusteredEstimate
}

/** Whether the model has information that the close lacks. */
export interface AgainstClose {
  /** Of (result − close) on (model − close), no intercept: 0 when the model adds nothing to the close, 1 when it is right. */
  readonly slope: ClusteredEstimate
  /** Share of decided bets won against spread and total; 110/210 is needed at −110. */
  readonly ats_hit: ClusteredEstimate
  readonly over_under_hit: ClusteredEstimate
  readonly by_edge: ReadonlyArray<EdgeRecord>
}

interface Bet {
  readonly game: Played
  /** The model's number less that of the market. */
  readonly edge: number
  readonly won: boolean | undefined
}

const hitOf = (bets: ReadonlyArray<Bet>): ClusteredEstimate => {
  const decided = bets.filter(({ won }) => won !== undefined)
  return weeklyMean(
    decided.map(({ won }) => Number(won)),
    decided.map(({ game }) => weekOf(game)),
  )
}

/** Sizes of edges, points. */
const edges = [0, 1, 2, 3, 5] as const

const byEdge = (bets: ReadonlyArray<Bet>): ReadonlyArray<EdgeRecord> =>
  edges.flatMap((from, at) => {
    const to = edges[at + 1]
    const own = bets.filter(({ edge }) => Math.abs(edge) >= from && Math.abs(edge) < (to ?? Number.POSITIVE_INFINITY))
    const count = (result: boolean | undefined) => own.filter(({ won }) => won === result).length
    const record = { wins: count(true), losses: count(false), pushes: count(undefined) }
    return record.wins + record.losses === 0 ? [] : [{ from, ...ifDefined("to", to), ...record, hit: hitOf(own) }]
  })

export const againstClose = (
  predictions: ReadonlyArray<PredictedGame>,
  lines: ReadonlyMap<string, MarketLines>,
): AgainstClose => {
  const rows: Array<readonly [game: Played, x: number, y: number]> = []
  const spreads: Array<Bet> = []
  const totals: Array<Bet> = []
  for (const { game: predicted, line } of predictions) {
    const game = predicted as Played
    const { spread, total } = lines.get(game.id) ?? {}
    const { home, away } = game.score
    const bet = (fair: number, posted: number, outcome: number): Bet => ({
      game,
      edge: fair - posted,
      won: beatsLine(fair, posted, outcome),
    })
    if (spread !== undefined) {
      rows.push([game, line.homeMargin - spread, home - away - spread])
      spreads.push(bet(line.homeMargin, spread, home - away))
    }
    if (total !== undefined) totals.push(bet(line.total, total, home + away))
  }
  return {
    slope: ratio(
      rows.map(([, x, y]) => x * y),
      rows.map(([, x]) => x * x),
      rows.map(([game]) => weekOf(game)),
      sampling(),
    ),
    ats_hit: hitOf(spreads),
    over_under_hit: hitOf(totals),
    by_edge: byEdge(spreads),
  }
}

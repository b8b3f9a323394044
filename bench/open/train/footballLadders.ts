import type { MarketLines } from "../../../core/lanes/football/data/Game.ts"
import {
  type BlendWeights,
  makeMarginDistribution,
  makeTotalDistribution,
  maxMargin,
  maxTotal,
} from "../../../core/lanes/football/model/distributions.ts"
import type { ClusteredEstimate } from "../../../core/math/clusters.ts"
import { type Estimate, estimate } from "../../../core/math/estimate.ts"
import * as normal from "../../../core/math/normal.ts"
import { brier, shareWithin } from "../../../core/math/score.ts"
import { weeklyMean, weekOf } from "./footballScores.ts"
import type { PredictedGame } from "./footballWalk.ts"

/** How the contracts of a ladder would have scored: the mean Brier score of a game's strikes. */
export interface Ladder {
  readonly strikes: { readonly from: number; readonly to: number }
  readonly brier: ClusteredEstimate
  /** Of the plain normal distribution with the same mean and standard deviation. */
  readonly brier_normal: Estimate
  /** The same law around the line at the close, on the games that have one, and the paired difference to it. */
  readonly brier_close: Estimate
  readonly to_close: ClusteredEstimate
}

/** How the stated uncertainty of totals held, and how both distributions price strikes. */
export interface Ladders {
  readonly total: {
    /** Standard deviation of (outcome − expectation) / sigma: 1 when sigma is right. */
    readonly z_sd: number
    readonly within_50: number
    readonly within_80: number
    /** Mean log score of the total under its discrete distribution, and under the plain normal one, nats. */
    readonly log_discrete: number
    readonly log_normal: number
  }
  readonly margins: Ladder
  readonly totals: Ladder
}

/** Strikes at half points, as venues list them. */
const strikesOf = { margins: { from: -20.5, to: 20.5 }, totals: { from: 30.5, to: 61.5 } } as const

/** The mean Brier score over the strikes of a distribution whose first element belongs to `first`. */
const scored = ({ from, to }: Ladder["strikes"], pmf: Float64Array, first: number, outcome: number): number => {
  let above = 1
  let sum = 0
  let count = 0
  for (const [at, p] of pmf.entries()) {
    above -= p
    const strike = first + at + 0.5
    if (strike < from || strike > to) continue
    sum += brier(Math.min(1, Math.max(0, above)), outcome > strike)
    count += 1
  }
  return sum / count
}

type Law = (mean: number) => Float64Array

const ladderOf = (
  strikes: Ladder["strikes"],
  first: number,
  games: ReadonlyArray<{
    readonly week: string
    readonly outcome: number
    readonly mean: number
    readonly close: number | undefined
    readonly law: Law
    readonly plain: Law
  }>,
): Ladder => {
  const of = (law: Law, mean: number, outcome: number) => scored(strikes, law(mean), first, outcome)
  const priced = games.flatMap(({ week, close, law, mean, outcome }) =>
    close === undefined ? [] : [{ week, model: of(law, mean, outcome), market: of(law, close, outcome) }],
  )
  return {
    strikes,
    brier: weeklyMean(
      games.map(({ law, mean, outcome }) => of(law, mean, outcome)),
      games.map(({ week }) => week),
    ),
    brier_normal: estimate(games.map(({ plain, mean, outcome }) => of(plain, mean, outcome))),
    brier_close: estimate(priced.map(({ market }) => market)),
    to_close: weeklyMean(
      priced.map(({ model, market }) => model - market),
      priced.map(({ week }) => week),
    ),
  }
}

/** @param links of the seasons of the predictions */
export const laddersOf = (
  predictions: ReadonlyArray<PredictedGame>,
  links: ReadonlyArray<BlendWeights>,
  lines: ReadonlyMap<string, MarketLines>,
): Ladders => {
  const bySeason = new Map(links.map((link) => [link.season, link]))
  const games = predictions.map(({ game, line }) => {
    const { home, away } = game.score!
    return {
      week: weekOf(game),
      line,
      lines: lines.get(game.id) ?? {},
      link: bySeason.get(game.season)!,
      margin: home - away,
      points: home + away,
    }
  })
  const z = games.map(({ line, points }) => (points - line.total) / line.sigmaTotal)
  const laws = games.map(({ line, link }) => makeTotalDistribution(line.total, line.sigmaTotal, link.total.weights))
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [half, full] = [normal.quantile(0.75), normal.quantile(0.9)]
  return {
    total: {
      z_sd: Math.sqrt(mean(z.map((off) => off * off))),
      within_50: shareWithin(z, -half, half),
      within_80: shareWithin(z, -full, full),
      log_discrete: mean(games.map(({ points }, at) => -Math.log(laws[at]![Math.min(maxTotal, points)]!))),
      log_normal: mean(games.map(({ line }, at) => -Math.log(normal.pdf(z[at]!) / line.sigmaTotal))),
    },
    margins: ladderOf(
      strikesOf.margins,
      -maxMargin,
      games.map(({ week, line, link, lines, margin }) => ({
        week,
        outcome: margin,
        mean: line.homeMargin,
        close: lines.spread,
        law: (expected) => makeMarginDistribution(expected, line.sigmaMargin, link.weights).pmf,
        plain: (expected) => makeMarginDistribution(expected, line.sigmaMargin, []).pmf,
      })),
    ),
    totals: ladderOf(
      strikesOf.totals,
      0,
      games.map(({ week, line, link, lines, points }) => ({
        week,
        outcome: points,
        mean: line.total,
        close: lines.total,
        law: (expected) => makeTotalDistribution(expected, line.sigmaTotal, link.total.weights),
        plain: (expected) => makeTotalDistribution(expected, line.sigmaTotal, []),
      })),
    ),
  }
}

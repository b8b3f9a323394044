import type { Distribution, ScoreOutput } from "../../../contracts/finalScore.ts"
import type { FairLine } from "./fairLine.ts"
import { blendFor } from "./Model.ts"
import { distributionOf, widest } from "./margin.ts"
import { totalsOf } from "./total.ts"

type Line = Omit<FairLine, "margins">

/** The numbers of a line, as served. */
export const lineOf = (line: Line) => ({
  home_margin: line.homeMargin,
  spread: line.spread,
  total: line.total,
  win_prob_home: line.winProbHome,
  win_prob_away: line.winProbAway,
  sigma_margin: line.sigmaMargin,
  median_margin: line.medianMargin,
  sigma_total: line.sigmaTotal,
})

export const driversOf = ({ drivers }: Pick<Line, "drivers">) =>
  drivers.map(({ feature, points }) => ({ feature, points }))

/** Rounds probabilities to a billionth and drops the zeros at both ends. */
const rounded = (from: number, pmf: Float64Array): Distribution => {
  const all = Array.from(pmf, (p) => Math.round(p * 1e9) / 1e9)
  const first = all.findIndex((p) => p > 0)
  return { from: from + first, pmf: all.slice(first, all.findLastIndex((p) => p > 0) + 1) }
}

/**
 * The whole distributions behind a line, from its numbers and its season's blend. A line of a season whose blend was never
 * fitted has the plain normal ones.
 */
export const distributionsOf = (line: Line, season: number): Omit<ScoreOutput, "win_prob_home"> => {
  const { weights, total } = blendFor(season)
  return {
    margin_distribution: rounded(-widest, distributionOf(line.homeMargin, line.sigmaMargin, weights).pmf),
    total_distribution: rounded(0, totalsOf(line.total, line.sigmaTotal, total.weights)),
  }
}

/** The recorded output of a line: scored against the final, and against a venue's contracts on the score. */
export const outputOf = (line: Line, season: number) => ({
  ...lineOf(line),
  ...distributionsOf(line, season),
  drivers: driversOf(line),
})

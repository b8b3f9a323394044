import type { Distribution, ScoreOutput } from "../../../contracts/finalScore.ts"
import { decimals } from "../../../endpoint/Field.ts"
import { round, rounded } from "../../../endpoint/Rounding.ts"
import { wire } from "../../../wire.ts"
import { ServedLine } from "../fields.ts"
import { marginDistribution, totalDistribution, widest } from "./distributions.ts"
import type { FairLine } from "./fairLine.ts"
import { blendFor } from "./Model.ts"

type Line = Omit<FairLine, "margins">

type Prediction = ServedLine["prediction"]

/** Fields of a prediction, as served. */
const served = <const A extends Partial<Prediction>>(prediction: A): A =>
  rounded({ results: ServedLine }, { prediction }).prediction

const toLineNumbers = wire<Line>()([
  ...(["homeMargin", "spread", "total", "winProbHome", "winProbAway"] as const),
  ...(["sigmaMargin", "medianMargin", "sigmaTotal"] as const),
])

/** The numbers of a line, as served. */
export const toLine = (line: Line) => served({ fair_line: toLineNumbers(line) }).fair_line

export const toDrivers = ({ drivers }: Pick<Line, "drivers">) =>
  served({ drivers: drivers.map(({ feature, points }) => ({ feature, points })) }).drivers

/** Drops the probabilities at both ends that are served as 0. */
const trimmed = (from: number, pmf: Float64Array): Distribution => {
  const all = Array.from(pmf, (p) => round(p, decimals.mass))
  const first = all.findIndex((p) => p > 0)
  return { from: from + first, pmf: all.slice(first, all.findLastIndex((p) => p > 0) + 1) }
}

/**
 * The whole distributions behind a line, from its numbers and its season's blend. A line of a season whose blend was never
 * fitted has the plain normal ones.
 */
export const toDistributions = (line: Line, season: number): Omit<ScoreOutput, "win_prob_home"> => {
  const { weights, total } = blendFor(season)
  return {
    margin_distribution: trimmed(-widest, marginDistribution(line.homeMargin, line.sigmaMargin, weights).pmf),
    total_distribution: trimmed(0, totalDistribution(line.total, line.sigmaTotal, total.weights)),
  }
}

/** The recorded output of a line: scored against the final, and against a venue's contracts on the score. */
export const toOutput = (line: Line, season: number) => ({
  ...toLine(line),
  ...toDistributions(line, season),
  drivers: toDrivers(line),
})

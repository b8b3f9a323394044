import type { Distribution, ScoreOutput } from "../../../contracts/finalScore.ts"
import { decimals } from "../../../endpoint/Field.ts"
import { round, rounded } from "../../../endpoint/Rounding.ts"
import { wire } from "../../../wire.ts"
import { ServedLine } from "../fields.ts"
import { makeMarginDistribution, makeTotalDistribution, maxMargin } from "./distributions.ts"
import type { FairLine } from "./fairLine.ts"
import { findBlend } from "./Model.ts"

type Line = Omit<FairLine, "margins">

type Prediction = ServedLine["prediction"]

const roundAsServed = <const A extends Partial<Prediction>>(prediction: A): A =>
  rounded({ results: ServedLine }, { prediction }).prediction

const toLineNumbers = wire<Line>()([
  ...(["homeMargin", "spread", "total", "winProbHome", "winProbAway"] as const),
  ...(["sigmaMargin", "medianMargin", "sigmaTotal"] as const),
])

export const toLine = (line: Line) => roundAsServed({ fair_line: toLineNumbers(line) }).fair_line

export const toDrivers = ({ drivers }: Pick<Line, "drivers">) =>
  roundAsServed({ drivers: drivers.map(({ feature, points }) => ({ feature, points })) }).drivers

/** Drops the probabilities at both ends that round to 0. */
const trimZeros = (from: number, pmf: Float64Array): Distribution => {
  const all = Array.from(pmf, (p) => round(p, decimals.mass))
  const first = all.findIndex((p) => p > 0)
  return { from: from + first, pmf: all.slice(first, all.findLastIndex((p) => p > 0) + 1) }
}

/** The distributions of margin and total by a line and its season's blend; plain normal ones if it was never fitted. */
export const toDistributions = (line: Line, season: number): Omit<ScoreOutput, "win_prob_home"> => {
  const { weights, total } = findBlend(season)
  return {
    margin_distribution: trimZeros(-maxMargin, makeMarginDistribution(line.homeMargin, line.sigmaMargin, weights).pmf),
    total_distribution: trimZeros(0, makeTotalDistribution(line.total, line.sigmaTotal, total.weights)),
  }
}

/** The recorded output of a line: scored against the final, and against a venue's contracts on the score. */
export const toOutput = (line: Line, season: number) => ({
  ...toLine(line),
  ...toDistributions(line, season),
  drivers: toDrivers(line),
})

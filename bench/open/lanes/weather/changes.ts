import type { ChangeRule } from "../../../../core/lanes/weather/signal/change.ts"
import { dot } from "../../../../core/lanes/weather/signal/temperature.ts"
import { unitSd } from "../../../../core/math/studentT8.ts"

/** A day's law before the rule, the terms of its change, and the outcome. */
export interface ChangedDay {
  readonly mean: number
  readonly sigma: number
  readonly terms: ReadonlyArray<number>
  readonly actualF: number
}

/** x of A x = b, A symmetric and positive definite, by Gauss's elimination. */
export const solve = (
  matrix: ReadonlyArray<ReadonlyArray<number>>,
  right: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const rows = matrix.map((row, at) => [...row, right[at]!])
  for (const [at, row] of rows.entries()) {
    for (const other of rows.slice(at + 1)) {
      const factor = other[at]! / row[at]!
      for (let k = at; k < row.length; k++) other[k]! -= factor * row[k]!
    }
  }
  const x: Array<number> = Array(rows.length).fill(0)
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at]!
    x[at] = (row.at(-1)! - dot(row.slice(0, -1), x)) / row[at]!
  }
  return x
}

/** The step of Fisher's scoring: per row the score of its linear predictor and its information. */
const scoring = (
  days: ReadonlyArray<ChangedDay>,
  of: (day: ChangedDay) => readonly [score: number, information: number],
): ReadonlyArray<number> => {
  const size = days[0]!.terms.length
  const information = Array.from({ length: size }, () => Array<number>(size).fill(0))
  const score = Array<number>(size).fill(0)
  for (const day of days) {
    const [each, weight] = of(day)
    day.terms.forEach((a, i) => {
      score[i]! += a * each
      day.terms.forEach((b, j) => {
        information[i]![j]! += a * b * weight
      })
    })
  }
  return solve(information, score)
}

const steps = 100

/**
 * The rule that makes the days likeliest, errors having Student's t with 8 degrees of freedom around mean + Σ mean · term,
 * with standard deviation sigma · exp(Σ logSigma · term).
 */
export const fitRule = (days: ReadonlyArray<ChangedDay>): ChangeRule => {
  const size = days[0]!.terms.length
  let [mean, logSigma]: Array<ReadonlyArray<number>> = [Array(size).fill(0), Array(size).fill(0)]
  const standard = (day: ChangedDay) => {
    const scale = day.sigma * Math.exp(dot(logSigma!, day.terms)) * unitSd
    const z = (day.actualF - day.mean - dot(mean!, day.terms)) / scale
    return { scale, z, weight: 9 / (8 + z * z) }
  }
  for (let step = 0; step < steps; step++) {
    const moves = [
      scoring(days, (day) => {
        const { scale, z, weight } = standard(day)
        return [(weight * z) / scale, 9 / 11 / scale ** 2]
      }),
      scoring(days, (day) => {
        const { z, weight } = standard(day)
        return [weight * z * z - 1, 16 / 11]
      }),
    ] as const
    mean = mean!.map((value, at) => value + moves[0][at]!)
    logSigma = logSigma!.map((value, at) => value + moves[1][at]!)
    if (moves.flat().every((move) => Math.abs(move) < 1e-9)) return { mean, logSigma }
  }
  throw new Error("The fit of the changes does not end.")
}

import * as Schema from "effect/Schema"
import * as normal from "../../../math/normal.ts"

/** The blend of the two members, margin = kalman · a + elo · b, and the distribution of outcomes around it. */
export const BlendWeights = Schema.Struct({
  /** The season that uses it. */
  season: Schema.Int,
  /** Number of games in the fit, all of earlier seasons; 0 if there were too few. */
  games: Schema.Int,
  kalman: Schema.Finite,
  elo: Schema.Finite,
  /** Residual standard deviation, points. */
  sigma: Schema.Positive,
  /** Relative frequency of each size of margin, 0–60 points. */
  weights: Schema.Array(Schema.Positive),
  /** The distribution of totals around the filter's: standard deviation, points, and relative frequency of each, 0–120. */
  total: Schema.Struct({ sigma: Schema.Positive, weights: Schema.Array(Schema.Positive) }),
})
export type BlendWeights = typeof BlendWeights.Type

/** A normal density on `size` whole numbers from `from` on, times weights; sums to 1. */
export const makeBell = (
  from: number,
  size: number,
  mean: number,
  sigma: number,
  weightOf: (number: number) => number,
): Float64Array => {
  const pmf = new Float64Array(size)
  let sum = 0
  for (let at = 0; at < size; at++) {
    const z = (at + from - mean) / sigma
    const p = weightOf(at + from) * Math.exp(-0.5 * z * z)
    pmf[at] = p
    sum += p
  }
  for (let at = 0; at < size; at++) pmf[at]! /= sum
  return pmf
}

/** Margins reach up to this; the widest since 1999 is 59. */
export const maxMargin = 60

const size = 2 * maxMargin + 1

/** The probability of every whole margin from −60 to 60, home minus away. */
export interface MarginDistribution {
  /** Element k + 60 belongs to margin k; sums to 1. */
  readonly pmf: Float64Array
  /** The smallest margin with a cumulative probability of at least ½, which has the least expected absolute error. */
  readonly median: number
  /** Win probability with half of a tie for each side: Φ(mean / σ), equal to the pmf's sum above 0 plus half of it at 0. */
  readonly winHome: number
}

/** A bell over margins whose weights depend on the size of the margin alone. */
const makeMarginBell = (mean: number, sigma: number, weightOf: (size: number) => number): Float64Array =>
  makeBell(-maxMargin, size, mean, sigma, (margin) => weightOf(Math.abs(margin)))

const findMedian = (pmf: Float64Array): number => {
  let below = 0
  let at = -1
  while (below < 0.5 && at < size - 1) below += pmf[++at]!
  return at - maxMargin
}

/**
 * A normal distribution on whole margins with key numbers: pmf(k) ∝ w|k| · exp(−(k − mean)² / 2σ²), each side of 0 scaled
 * to the normal distribution's own probability of that winner. Key numbers affect the size of a win, not the winner:
 * without the scaling the weights, low around 0, overrate every favourite (log score of the margins of 2006–2023 worse by
 * 0.0002 nats a game, of the winners by 0.0003).
 *
 * @param mean expected margin, home minus away; within ±60
 * @param sigma standard deviation, above 0
 * @param weights w₀ … w₆₀, see `BlendWeights`; missing ones count as 1
 */
export const makeMarginDistribution = (
  mean: number,
  sigma: number,
  weights: ReadonlyArray<number>,
): MarginDistribution => {
  const pmf = makeMarginBell(mean, sigma, (k) => weights[k] ?? 1)
  const winHome = normal.cdf(mean / sigma)
  const tie = pmf[maxMargin]! / 2
  let above = 0
  let below = 0
  for (let k = 1; k <= maxMargin; k++) {
    above += pmf[maxMargin + k]!
    below += pmf[maxMargin - k]!
  }
  for (let k = 1; k <= maxMargin; k++) {
    pmf[maxMargin + k]! *= (winHome - tie) / above
    pmf[maxMargin - k]! *= (1 - winHome - tie) / below
  }
  return { pmf, median: findMedian(pmf), winHome }
}

/** Totals reach up to this; the highest since 1999 is 106. */
export const maxTotal = 120

/** A bound of the iterations; each comes about ten times nearer. */
const maxTries = 16

/**
 * The probability of every total from 0 to 120, element `n` that of `n` points: a normal distribution on whole numbers with
 * the frequencies of actual totals, pmf(n) ∝ wₙ · exp(−(n − mean)² / 2σ²). The weights also carry the skew: low totals are
 * rarer than in a bell, high ones more frequent. The bell is shifted so that the distribution's mean equals the published
 * total, which does not affect its scores.
 *
 * @param mean expected points of both
 * @param sigma standard deviation, above 0
 * @param weights w₀ … w₁₂₀, see `BlendWeights`; missing ones count as 1
 */
export const makeTotalDistribution = (mean: number, sigma: number, weights: ReadonlyArray<number>): Float64Array => {
  let centre = mean
  for (let tries = 0; ; tries++) {
    const pmf = makeBell(0, maxTotal + 1, centre, sigma, (points) => weights[points] ?? 1)
    const off = mean - pmf.reduce((sum, p, points) => sum + p * points, 0)
    if (Math.abs(off) < 1e-9 || tries === maxTries) return pmf
    centre += off
  }
}

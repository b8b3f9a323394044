import {
  type BlendWeights,
  makeBell,
  makeTotalDistribution,
  maxMargin,
  maxTotal,
} from "../../../core/lanes/football/model/distributions.ts"
import type { Hyperparameters } from "../../../core/lanes/football/model/parameters.ts"
import { leastSquares } from "../../../core/math/leastSquares.ts"

/** A forecast of a margin, and the actual margin. */
export interface MarginSample {
  readonly mean: number
  readonly sigma: number
  readonly margin: number
}

/**
 * The frequency of each absolute margin relative to the normal distribution: (count + prior) / (expected + prior).
 *
 * @returns w₀ … w₆₀, all above 0, rounded to six decimals
 */
export const marginWeights = (outcomes: ReadonlyArray<MarginSample>, prior: number): ReadonlyArray<number> => {
  const count = new Float64Array(maxMargin + 1)
  const expected = new Float64Array(maxMargin + 1)
  for (const { mean, sigma, margin } of outcomes) {
    count[Math.min(maxMargin, Math.abs(margin))]! += 1
    const pmf = makeBell(-maxMargin, 2 * maxMargin + 1, mean, sigma, () => 1)
    expected[0]! += pmf[maxMargin]!
    for (let k = 1; k <= maxMargin; k++) expected[k]! += pmf[maxMargin + k]! + pmf[maxMargin - k]!
  }
  return Array.from(count, (seen, k) => Math.round(((seen + prior) / (expected[k]! + prior)) * 1e6) / 1e6)
}

/** A forecast of a total, and the actual points. */
export interface TotalOutcome {
  readonly mean: number
  readonly sigma: number
  readonly points: number
}

/**
 * How much likelier each total is than the normal distribution says: (count + prior) / (expected + prior).
 *
 * @returns w₀ … w₁₂₀, all above 0, rounded to three decimals
 */
export const totalWeights = (outcomes: ReadonlyArray<TotalOutcome>, prior: number): ReadonlyArray<number> => {
  const count = new Float64Array(maxTotal + 1)
  const expected = new Float64Array(maxTotal + 1)
  for (const { mean, sigma, points } of outcomes) {
    count[Math.min(maxTotal, points)]! += 1
    for (const [at, p] of makeTotalDistribution(mean, sigma, []).entries()) expected[at]! += p
  }
  return Array.from(count, (seen, at) => Math.round(((seen + prior) / (expected[at]! + prior)) * 1e3) / 1e3)
}

/** One game's prediction from before the game, and its margin. */
export interface Predicted {
  readonly season: number
  /** Margins expected by the filter, by Elo, and by that season's blend. */
  readonly kalman: number
  readonly elo: number
  readonly blend: number
  readonly sigma: number
  /** The actual margin, home minus away. */
  readonly margin: number
  /** The points of both: expected, by which standard deviation, and those that were scored. */
  readonly total: TotalOutcome
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * Fits the blend of a season: least squares without intercept of the margin on the two members over the seasons before,
 * sigma the residual standard deviation, weights of the margins relative to the blend served then; totals likewise, around the
 * filter's own expectation. Rounded, so that the published values are those that are used.
 *
 * @param history predictions in any order; those of `season` and later are ignored
 * @returns with fewer seasons than `link.least`: the filter alone
 */
export const fitBlend = (
  season: number,
  history: ReadonlyArray<Predicted>,
  { link }: Hyperparameters,
): BlendWeights => {
  const used = history.filter((game) => game.season < season && game.season >= season - link.seasons)
  if (new Set(used.map((game) => game.season)).size < link.least) {
    return {
      season,
      games: 0,
      kalman: 1,
      elo: 0,
      sigma: link.sigma,
      weights: [],
      total: { sigma: link.sigma, weights: [] },
    }
  }
  const totals = used.map(({ total }) => total)
  const { a, b, sigma } = leastSquares(used.map(({ kalman, elo, margin }) => [kalman, elo, margin]))
  return {
    season,
    games: used.length,
    kalman: rounded(a),
    elo: rounded(b),
    sigma: rounded(sigma),
    weights: marginWeights(
      used.map(({ blend, sigma, margin }) => ({ mean: blend, sigma, margin })),
      link.marginPrior,
    ),
    total: {
      sigma: rounded(
        Math.sqrt(totals.reduce((sum, { mean, points }) => sum + (points - mean) ** 2, 0) / totals.length),
      ),
      weights: totalWeights(totals, link.marginPrior),
    },
  }
}

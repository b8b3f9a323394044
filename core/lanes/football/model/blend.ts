import { leastSquares } from "../../../math/leastSquares.ts"
import { marginWeights } from "./margin.ts"
import type { Hyperparameters } from "./parameters.ts"
import { type TotalOutcome, totalWeights } from "./total.ts"

/** The blend of the two members, margin = kalman · a + elo · b, and the distribution of outcomes around it. */
export interface BlendWeights {
  /** The season that uses it. */
  readonly season: number
  /** Number of games of the fit, all of earlier seasons; 0 when there were too few. */
  readonly games: number
  readonly kalman: number
  readonly elo: number
  /** Residual standard deviation, points. */
  readonly sigma: number
  /** Relative frequency of each size of margin, 0–60 points. */
  readonly weights: ReadonlyArray<number>
  /** How totals lie around the filter's: standard deviation, points, and relative frequency of each, 0–120 points. */
  readonly total: { readonly sigma: number; readonly weights: ReadonlyArray<number> }
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
 * filter's own expectation. Rounded, so that what is published is what is used.
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

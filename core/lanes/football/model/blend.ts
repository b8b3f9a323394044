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

import { brier } from "../../../math/score.ts"
import type { Score } from "../data/Game.ts"

/** The scored part of a prediction, or of the market's line. */
export interface Forecast {
  /** Expected home minus away, points. */
  readonly homeMargin: number
  /** Expected points of both teams. */
  readonly total?: number | undefined
  readonly winHome?: number | undefined
}

export interface ForecastScores {
  /** Outcome minus expectation, points. */
  readonly marginError: number
  readonly totalError?: number
  /** 1 if the predicted side won, 0 if it lost, ½ for a predicted margin of 0. Absent for a tie. */
  readonly winner?: number
  /** Brier score of the win probability. Absent for a tie. */
  readonly brier?: number
}

/** Scores a prediction against the final. A tie has errors of margin and total, but no scores of the winner. */
export const scoreForecast = ({ homeMargin, total, winHome }: Forecast, { home, away }: Score): ForecastScores => {
  const outcome = home - away
  return {
    marginError: outcome - homeMargin,
    ...(total !== undefined && { totalError: home + away - total }),
    ...(outcome !== 0 && { winner: homeMargin === 0 ? 0.5 : Number(homeMargin > 0 === outcome > 0) }),
    ...(outcome !== 0 && winHome !== undefined && { brier: brier(winHome, outcome > 0) }),
  }
}

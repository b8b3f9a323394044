import { brier } from "../../../math/score.ts"
import type { Score } from "../data/Game.ts"

/** What is scored of a prediction; the market's line is scored the same way. */
export interface Forecast {
  /** Expected home minus away, points. */
  readonly margin: number
  /** Expected points of both. */
  readonly total?: number | undefined
  readonly winHome?: number | undefined
}

/** How a prediction did against a final. */
export interface Scored {
  /** Outcome minus expectation, points. */
  readonly marginError: number
  readonly totalError?: number
  /** Whether the winner was named; ½ when the prediction named none. Absent for a tie. */
  readonly winner?: number
  /** Brier score of the win probability. Absent for a tie. */
  readonly brier?: number
}

/**
 * Scores a prediction against the final. A tie has a margin and a total, but no winner: it is left out of what is said of
 * winners.
 *
 * @example
 * import { scoreOf } from "./score.ts"
 *
 * scoreOf({ margin: 3, winHome: 0.6 }, { home: 17, away: 20 }) // { marginError: -6, winner: 0, brier: 0.36 }
 */
export const scoreOf = ({ margin, total, winHome }: Forecast, { home, away }: Score): Scored => {
  const outcome = home - away
  return {
    marginError: outcome - margin,
    ...(total !== undefined && { totalError: home + away - total }),
    ...(outcome !== 0 && { winner: margin === 0 ? 0.5 : Number(margin > 0 === outcome > 0) }),
    ...(outcome !== 0 && winHome !== undefined && { brier: brier(winHome, outcome > 0) }),
  }
}

/**
 * Whether the side on which a number lies of the market's beat the market's line.
 *
 * @param fair our number, `line` the market's, `outcome` what came true; margins or totals alike
 * @returns undefined for a push, and when both numbers are the same
 */
export const beatsLine = (fair: number, line: number, outcome: number): boolean | undefined =>
  outcome === line || fair === line ? undefined : fair > line === outcome > line

/** The share of bets at −110 that must win to lose nothing: 110 / 210. */
export const breakeven: number = 110 / 210

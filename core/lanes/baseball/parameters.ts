/**
 * The hyper-parameters of the baseball model, tuned on seasons up to 2018 and unchanged since. Two were not tuned: the
 * exponent is the customary one, and the share of earned runs is a plain count. The available game logs allow a check of that
 * share only for 2020 and 2021 (.916), so it is not independent of those seasons. The coefficients are fitted season by
 * season on earlier seasons. The parameters of the skill states were also chosen on seasons up to 2018; their noise and first
 * means are counts of 2009–2012. Those of the line-ups are customary values that were not tuned, and were checked on
 * 2022–2024.
 */
export const parameters = {
  pythagorean: {
    /** Exponent of runs in the Pythagorean expectation. */
    exponent: 1.83,
    /** Runs added to both sides, so that the expectation exists before the first run. */
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
    /** How far the prior's ERA is above the league's, earned runs per nine innings. */
    newcomer: 0.74,
  },
  league: {
    /** Earned runs per nine innings if there are no data. */
    era: 4.2,
    /** Weight of last season's mean, in games of one team. */
    priorGames: 300,
    earnedShare: 0.92,
  },
  skill: {
    /** The starter's share of the batters that a team faces. */
    share: 0.62,
    /** A game's surprise is clipped at this many of its standard deviations. */
    clip: 3,
    /** Nothing is learned from games with fewer batters faced. */
    leastFaced: 20,
    /** The part of each game's surprise by which the league's rate moves. */
    leagueStep: 0.0006,
    /** Weights of a pitcher's last seasons, newest first. */
    seasons: [1, 0.5, 0.3],
    /**
     * `first`: the variance of a new team; `added`: what a new season adds to the variance, both in units of noise / faced;
     * `game`: what a game adds to it; `carry`: the share of its mean that a skill keeps in a new season.
     */
    starters: { added: 0.12, game: 2e-6 },
    bullpens: { first: 0.15, added: 0.1, game: 3e-6, carry: 0.55 },
    bats: { first: 0.25, added: 0.12, game: 2e-6, carry: 0.6 },
    rates: {
      /**
       * `noise`: variance of a rate per batter faced, 38 · .93 times that of a game's rate, 2009–2012; `faced`: the prior's
       * weight in batters faced; `league`: the league's rate of 2009.
       */
      kbb: { noise: 0.30964, faced: 350, league: 0.101347 },
      lw: { noise: 0.0968725, faced: 1000, league: 0.177854 },
    },
  },
  lineUp: {
    /** Weights of a batter's last seasons, newest first. */
    seasons: [1, 0.8, 0.6],
    /** Weight of the prior, in plate appearances. */
    priorAppearances: 250,
    /** Runs per plate appearance, relative to the league, of a batter without earlier seasons. */
    unknown: -0.01,
    /** Weights of the places in the batting order, by how often they come to bat. */
    order: [1.13, 1.1, 1.08, 1.05, 1.03, 1, 0.97, 0.94, 0.91],
    /** A team's usual line-up is the mean of its last `games` of the season; with fewer than `least` there is none. */
    usual: { games: 15, least: 3 },
  },
}
export type Hyperparameters = typeof parameters

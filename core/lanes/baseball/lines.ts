import type { Hyperparameters } from "./parameters.ts"

/** A team's runs in a season, or in the part of it before a day. */
export interface TeamLine {
  readonly games: number
  readonly scored: number
  readonly allowed: number
}

/** A pitcher's line of a season, or of the part of it before a day. */
export interface PitcherLine {
  /** In decimal: 5.2 on a score sheet is 5⅔. */
  readonly innings: number
  readonly earnedRuns: number
}

export interface TeamForm {
  readonly season: TeamLine
  /** All of last season; absent for a team that did not play it. */
  readonly last?: TeamLine | undefined
}

export interface StarterForm {
  readonly season: PitcherLine
  /** Earlier seasons, each decayed by its age. */
  readonly carried: PitcherLine
}

export const noGames: TeamLine = { games: 0, scored: 0, allowed: 0 }
export const noInnings: PitcherLine = { innings: 0, earnedRuns: 0 }

/** The sum of two lines, the second weighted. */
export const addLines = (a: PitcherLine, b: PitcherLine, weight = 1): PitcherLine => ({
  innings: a.innings + weight * b.innings,
  earnedRuns: a.earnedRuns + weight * b.earnedRuns,
})

/**
 * Earlier seasons as one line, each weighted by `decay` to the power of its age.
 *
 * @param earlier seasons by year; those of `season` and later are ignored
 */
export const carryEarlierSeasons = (
  season: number,
  earlier: Iterable<readonly [season: number, line: PitcherLine]>,
  { starter: { decay } }: Hyperparameters,
): PitcherLine => {
  let sum = noInnings
  for (const [year, line] of earlier) if (year < season) sum = addLines(sum, line, decay ** (season - year))
  return sum
}

/** A league's earned runs and its games, which count for each of the two teams. */
export interface LeagueLine {
  readonly games: number
  readonly earnedRuns: number
}

/** A league's earned runs, estimated from its teams' runs. */
export const sumLeague = (teams: Iterable<TeamLine>, { league: { earnedShare } }: Hyperparameters): LeagueLine => {
  let games = 0
  let allowed = 0
  for (const team of teams) {
    games += team.games
    allowed += team.allowed
  }
  return { games, earnedRuns: earnedShare * allowed }
}

/** The league's earned runs per game, which nearly always is nine innings: this season's, shrunk to last season's. */
export const computeLeagueEra = (
  season: LeagueLine,
  last: LeagueLine | undefined,
  { league }: Hyperparameters,
): number => {
  const previousEra = last === undefined || last.games === 0 ? league.era : last.earnedRuns / last.games
  return (season.earnedRuns + league.priorGames * previousEra) / (season.games + league.priorGames)
}

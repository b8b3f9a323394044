import {
  added,
  type LeagueLine,
  leagueEra,
  noGames,
  noInnings,
  type PitcherLine,
  type StarterForm,
  type TeamForm,
  type TeamLine,
} from "../../core/lanes/baseball/lines.ts"
import type { Hyperparameters } from "../../core/lanes/baseball/parameters.ts"
import type { Matchup } from "../../core/lanes/baseball/winProbability.ts"

/** One side of a finished game. */
export interface PlayedSide {
  readonly team: string
  readonly runs: number
  /** A pitcher's key, constant across seasons. */
  readonly starter?: string | undefined
  /** Substitute for the starter's own line; absent if unknown. */
  readonly pitched?: PitcherLine | undefined
}

/** A finished game, without market prices. */
export interface Played {
  readonly id: string
  readonly season: number
  /** YYYY-MM-DD. */
  readonly day: string
  readonly home: PlayedSide
  readonly away: PlayedSide
  readonly neutral: boolean
}

/** A game and the information at the start of its day. */
export interface Known {
  readonly game: Played
  readonly matchup: Matchup
}

const next = (line: TeamLine, scored: number, allowed: number): TeamLine => ({
  games: line.games + 1,
  scored: line.scored + scored,
  allowed: line.allowed + allowed,
})

const aged = ({ season, carried }: StarterForm, decay: number): StarterForm => ({
  season: noInnings,
  carried: added(added(noInnings, carried, decay), season, decay),
})

/** The games of each day, in order. */
export const gamedays = (games: ReadonlyArray<Played>): ReadonlyArray<ReadonlyArray<Played>> => {
  const days = new Map<string, Array<Played>>()
  for (const game of games) {
    const day = days.get(game.day)
    if (day === undefined) days.set(game.day, [game])
    else day.push(game)
  }
  return [...days.keys()].sort().map((day) => days.get(day)!)
}

/**
 * Walks through games day by day. Each game is yielded with the information at the start of its day: no result of that
 * day or a later one.
 *
 * @param games any order
 */
export function* walk(games: ReadonlyArray<Played>, parameters: Hyperparameters): Generator<Known, void> {
  const teams = new Map<string, TeamForm>()
  const starters = new Map<string, StarterForm>()
  let season = Number.NEGATIVE_INFINITY
  let league: { season: LeagueLine; last: LeagueLine | undefined } = {
    season: { games: 0, earnedRuns: 0 },
    last: undefined,
  }

  const begin = (year: number): void => {
    for (const [team, form] of teams) {
      teams.set(team, { season: noGames, last: form.season.games > 0 ? form.season : form.last })
    }
    for (const [name, form] of starters) starters.set(name, aged(form, parameters.starter.decay))
    league = { season: { games: 0, earnedRuns: 0 }, last: league.season.games > 0 ? league.season : league.last }
    season = year
  }

  const teamOf = ({ team }: PlayedSide): TeamForm => teams.get(team) ?? { season: noGames }
  const starterOf = ({ starter }: PlayedSide): StarterForm | undefined =>
    starter === undefined ? undefined : (starters.get(starter) ?? { season: noInnings, carried: noInnings })

  const learn = (own: PlayedSide, other: PlayedSide): void => {
    const form = teamOf(own)
    teams.set(own.team, { ...form, season: next(form.season, own.runs, other.runs) })
    const { starter, pitched } = own
    if (pitched === undefined || pitched.innings === 0) return
    const { games, earnedRuns } = league.season
    league = {
      ...league,
      season: { games: games + 1, earnedRuns: earnedRuns + (9 * pitched.earnedRuns) / pitched.innings },
    }
    if (starter === undefined) return
    const known = starterOf(own)!
    starters.set(starter, { ...known, season: added(known.season, pitched) })
  }

  for (const today of gamedays(games)) {
    const year = today[0]!.season
    if (year !== season) begin(year)
    const era = leagueEra(league.season, league.last, parameters)
    for (const game of today) {
      const { home, away, neutral } = game
      yield {
        game,
        matchup: {
          home: teamOf(home),
          away: teamOf(away),
          homeStarter: starterOf(home),
          awayStarter: starterOf(away),
          neutral,
          leagueEra: era,
        },
      }
    }
    for (const { home, away } of today) {
      learn(home, away)
      learn(away, home)
    }
  }
}

import {
  addLines,
  computeLeagueEra,
  type LeagueLine,
  noGames,
  noInnings,
  type PitcherLine,
  type StarterForm,
  type TeamForm,
  type TeamLine,
} from "../../../../core/lanes/baseball/lines.ts"
import type { Hyperparameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { SkillTerms } from "../../../../core/lanes/baseball/skill/states.ts"
import type { Matchup } from "../../../../core/lanes/baseball/winProbability.ts"

/** One side of a game before it. */
export interface ListedSide {
  readonly team: string
  /** The listed pitcher's key, constant across seasons. */
  readonly starter?: string | undefined
}

/** One side of a finished game. */
export interface PlayedSide extends ListedSide {
  readonly runs: number
  /** Substitute for the starter's own line; absent if unknown. */
  readonly pitched?: PitcherLine | undefined
}

/** A game before it, without market prices. */
export interface Listed {
  readonly id: string
  readonly season: number
  /** YYYY-MM-DD. */
  readonly day: string
  readonly home: ListedSide
  readonly away: ListedSide
  readonly neutral: boolean
  /** Differences of skills from the games of the days before; absent where the archives have no lines of the game. */
  readonly skill?: SkillTerms
  /** Difference of the line-ups, which are posted some hours before the first pitch; absent where no log has them. */
  readonly lineUp?: number
}

/** A finished game. */
export interface Played extends Listed {
  readonly home: PlayedSide
  readonly away: PlayedSide
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
  carried: addLines(addLines(noInnings, carried, decay), season, decay),
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

/** The form of teams, starters and the league so far. */
export interface Forms {
  /** The model's data of a game. The first game of a season begins it: all lines become last season's. */
  readonly before: (game: Listed) => Matchup
  readonly learn: (game: Played) => void
}

/** The forms before any game. */
export const makeForms = (parameters: Hyperparameters): Forms => {
  const teams = new Map<string, TeamForm>()
  const starters = new Map<string, StarterForm>()
  const nothing: LeagueLine = { games: 0, earnedRuns: 0 }
  let season = Number.NEGATIVE_INFINITY
  let league: { season: LeagueLine; last: LeagueLine | undefined } = { season: nothing, last: undefined }

  const enter = (year: number): void => {
    if (year === season) return
    for (const [team, form] of teams) {
      teams.set(team, { season: noGames, last: form.season.games > 0 ? form.season : form.last })
    }
    for (const [name, form] of starters) starters.set(name, aged(form, parameters.starter.decay))
    league = { season: nothing, last: league.season.games > 0 ? league.season : league.last }
    season = year
  }

  const teamOf = ({ team }: ListedSide): TeamForm => teams.get(team) ?? { season: noGames }
  const starterOf = ({ starter }: ListedSide): StarterForm | undefined =>
    starter === undefined ? undefined : (starters.get(starter) ?? { season: noInnings, carried: noInnings })

  const learnSide = (side: PlayedSide, other: PlayedSide): void => {
    const form = teamOf(side)
    teams.set(side.team, { ...form, season: next(form.season, side.runs, other.runs) })
    const { starter, pitched } = side
    if (pitched === undefined || pitched.innings === 0) return
    const { games, earnedRuns } = league.season
    league = {
      ...league,
      season: { games: games + 1, earnedRuns: earnedRuns + (9 * pitched.earnedRuns) / pitched.innings },
    }
    if (starter === undefined) return
    const starterForm = starterOf(side)!
    starters.set(starter, { ...starterForm, season: addLines(starterForm.season, pitched) })
  }

  return {
    before: ({ season: year, home, away, neutral }) => {
      enter(year)
      return {
        home: teamOf(home),
        away: teamOf(away),
        homeStarter: starterOf(home),
        awayStarter: starterOf(away),
        neutral,
        leagueEra: computeLeagueEra(league.season, league.last, parameters),
      }
    },
    learn: ({ season: year, home, away }) => {
      enter(year)
      learnSide(home, away)
      learnSide(away, home)
    },
  }
}

/**
 * Walks through games day by day. Each game is yielded with the information at the start of its day: no result of that
 * day or a later one.
 *
 * @param games any order
 */
export function* walk(games: ReadonlyArray<Played>, parameters: Hyperparameters): Generator<Known, void> {
  const forms = makeForms(parameters)
  for (const today of gamedays(games)) {
    for (const game of today) yield { game, matchup: forms.before(game) }
    for (const game of today) forms.learn(game)
  }
}

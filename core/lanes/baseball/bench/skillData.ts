import * as Arr from "effect/Array"
import { parameters } from "../parameters.ts"
import type { Careers } from "../skill/careers.ts"
import { type LineUp, lineUpDifference, type TeamLineUps, usualOf } from "../skill/lineUps.ts"
import { type Rates, ratesOf, summed } from "../skill/rates.ts"
import { type PitchedGame, type SkillStates, type SkillTerms, walkSkills } from "../skill/states.ts"
import type { GameLog } from "./gameLog.ts"
import type { PlayerSeason, SkillArchive, Starters, TeamGame } from "./skillFiles.ts"

/** The skills of an archive's games. */
export interface SkillData {
  /** By bench id. */
  readonly terms: ReadonlyMap<string, SkillTerms>
  /** Differences of line-ups by bench id. */
  readonly lineUps: ReadonlyMap<string, number>
  /** After the last game. */
  readonly states: SkillStates
  /** The rates of whole seasons. */
  readonly league: ReadonlyMap<number, Rates>
}

const leagueOf = (rows: ReadonlyArray<PlayerSeason>): ReadonlyMap<number, Rates> =>
  new Map(
    [...new Set(rows.map(({ season }) => season))].map((season) => [
      season,
      ratesOf(summed(rows.filter((row) => row.season === season).map(({ counts }) => counts))),
    ]),
  )

/** Whole seasons by Retrosheet's ids: namesakes are separate. */
const careersOf = (rows: ReadonlyArray<PlayerSeason>, league: ReadonlyMap<number, Rates>): Careers => {
  const own = new Map(rows.map(({ season, player, counts }) => [`${season}/${player}`, counts]))
  return { of: (player, season) => own.get(`${season}/${player}`), league: (season) => league.get(season) }
}

/** Retrosheet's id of a logged game. */
const gameOf = ({ id, home }: GameLog): string => {
  const [date, , number] = id.split("/") as [string, string, string]
  return `${home.team}${date}${number}`
}

/** The starters of logged games. */
const loggedStarters = (logs: ReadonlyArray<GameLog>): ReadonlyArray<Starters> =>
  logs.map((log) => ({
    ...{ id: log.id, season: log.season, game: gameOf(log) },
    ...{ home: log.home.starterId, away: log.away.starterId },
  }))

/** Differences of line-ups by game, each from the games of the season on the days before. */
const lineUpsOf = (logs: ReadonlyArray<GameLog>, careers: Careers): ReadonlyMap<string, number> => {
  const differences = new Map<string, number>()
  const before = new Map<string, ReadonlyArray<LineUp>>()
  const sideOf = (season: number, { team, lineUp }: GameLog["home"]): TeamLineUps | undefined =>
    lineUp && { own: lineUp, recent: before.get(`${season}/${team}`) ?? [] }
  const days = Object.entries(Arr.groupBy(logs, ({ day }) => day)).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [, games] of days) {
    for (const game of games) {
      const [home, away] = [sideOf(game.season, game.home), sideOf(game.season, game.away)]
      if (home === undefined || away === undefined) continue
      differences.set(gameOf(game), lineUpDifference(game.season, { home, away }, careers, parameters))
    }
    for (const { season, home, away } of games) {
      for (const { team, lineUp } of [home, away]) {
        const key = `${season}/${team}`
        if (lineUp !== undefined) before.set(key, usualOf([...(before.get(key) ?? []), lineUp], parameters))
      }
    }
  }
  return differences
}

/** Starters by Retrosheet's game. A game that two bench games claim has none, nor has a pitcher of both sides. */
const byGame = (all: ReadonlyArray<Starters>): ReadonlyMap<string, Starters> => {
  const games = new Map<string, Starters>()
  const claimed = new Set<string>()
  for (const each of all) {
    if (each.game === undefined) continue
    if (games.has(each.game)) claimed.add(each.game)
    const isOne = each.home !== undefined && each.home === each.away
    games.set(each.game, isOne ? { ...each, home: undefined, away: undefined } : each)
  }
  for (const game of claimed) games.delete(game)
  return games
}

const pitchedGames = (
  rows: ReadonlyArray<TeamGame>,
  starters: ReadonlyMap<string, Starters>,
): ReadonlyArray<PitchedGame> => {
  const sides = new Map(rows.map((row) => [`${row.game}/${row.isHome}`, row]))
  return rows.flatMap((home): ReadonlyArray<PitchedGame> => {
    const away = sides.get(`${home.game}/false`)
    if (!home.isHome || away === undefined) return []
    const named = starters.get(home.game)
    return [
      {
        id: home.game,
        season: home.season,
        day: home.day,
        home: { team: home.team, starter: named?.home, counts: home.counts },
        away: { team: away.team, starter: named?.away, counts: away.counts },
      },
    ]
  })
}

/**
 * The skills and line-ups before each bench game that an archive of lines has.
 *
 * @param logs line-ups are of all seasons, starters of those after `last`
 * @param last the archive of starters' last season
 */
export const skillDataOf = (archive: SkillArchive, logs: ReadonlyArray<GameLog>, last: number): SkillData => {
  const league = leagueOf(archive.careers)
  const later = logs.filter(({ season }) => season > last)
  const starters = byGame([...archive.starters, ...loggedStarters(later)])
  const games = pitchedGames(archive.pitching, starters)
  const { terms, states } = walkSkills(games, careersOf(archive.careers, league), parameters)
  const ofBench = <A>(values: ReadonlyMap<string, A>): ReadonlyMap<string, A> =>
    new Map(
      [...starters].flatMap(([game, { id }]) => {
        const own = values.get(game)
        return own === undefined ? [] : [[id, own] as const]
      }),
    )
  const lineUps = lineUpsOf(logs, careersOf(archive.batters, league))
  return { terms: ofBench(terms), lineUps: ofBench(lineUps), states, league }
}

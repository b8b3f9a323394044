import { parameters } from "../parameters.ts"
import { type Rates, ratesOf, summed } from "../skill/rates.ts"
import { type Careers, type PitchedGame, type SkillStates, type SkillTerms, walkSkills } from "../skill/states.ts"
import type { GameLog } from "./gameLog.ts"
import type { PitcherSeason, SkillArchive, Starters, TeamGame } from "./skillFiles.ts"

/** The skills of an archive's games. */
export interface SkillData {
  /** By bench id. */
  readonly terms: ReadonlyMap<string, SkillTerms>
  /** After the last game. */
  readonly states: SkillStates
  /** The rates of whole seasons. */
  readonly league: ReadonlyMap<number, Rates>
}

const leagueOf = (rows: ReadonlyArray<PitcherSeason>): ReadonlyMap<number, Rates> =>
  new Map(
    [...new Set(rows.map(({ season }) => season))].map((season) => [
      season,
      ratesOf(summed(rows.filter((row) => row.season === season).map(({ counts }) => counts))),
    ]),
  )

/** Whole seasons by Retrosheet's ids: namesakes are separate. */
const careersOf = (rows: ReadonlyArray<PitcherSeason>, league: ReadonlyMap<number, Rates>): Careers => {
  const own = new Map(rows.map(({ season, pitcher, counts }) => [`${season}/${pitcher}`, counts]))
  return { of: (pitcher, season) => own.get(`${season}/${pitcher}`), league: (season) => league.get(season) }
}

/** The starters of logged games. */
const loggedStarters = (logs: ReadonlyArray<GameLog>): ReadonlyArray<Starters> =>
  logs.map(({ id, season, home, away }) => {
    const [date, , number] = id.split("/") as [string, string, string]
    return { id, season, game: `${home.team}${date}${number}`, home: home.starterId, away: away.starterId }
  })

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
 * The skills before each bench game that an archive of lines has.
 *
 * @param logs of the seasons after those of the archive's starters
 */
export const skillDataOf = (archive: SkillArchive, logs: ReadonlyArray<GameLog>): SkillData => {
  const league = leagueOf(archive.careers)
  const starters = byGame([...archive.starters, ...loggedStarters(logs)])
  const games = pitchedGames(archive.pitching, starters)
  const { terms, states } = walkSkills(games, careersOf(archive.careers, league), parameters)
  const ofBench = [...starters].flatMap(([game, { id }]) => {
    const own = terms.get(game)
    return own === undefined ? [] : [[id, own] as const]
  })
  return { terms: new Map(ofBench), states, league }
}

import { perObject } from "../../../perObject.ts"
import type { TeamLine } from "../lines.ts"
import { trained } from "../Model.ts"
import { parameters } from "../parameters.ts"
import type { ListedGame, ListedSide, PitchedGames, PitcherLines } from "../ports.ts"
import type { Careers, PitchingCounts } from "./rates.ts"
import { makeSkills, type SkillSide, type Skills, type SkillTerms, sortByTime } from "./states.ts"

export interface SkillData {
  readonly game: ListedGame
  readonly teams: { readonly lines: ReadonlyMap<number, TeamLine> }
  readonly pitched: PitchedGames
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
}

/** How many games of a season may lack pitching lines: those of the last day, and a small share that was refused. */
const tolerated = { games: 15, share: 0.02 }

/** How many of a season's games, by the standings, lack pitching lines; 0 if they are few enough to be tolerated. */
export const countLackingLines = ({ game, teams, pitched }: SkillData): number => {
  const played = [...teams.lines.values()].reduce((sum, { games }) => sum + games, 0) / 2
  const readGames = pitched.games.filter(({ season }) => season === game.season).length
  return played - readGames > tolerated.games + tolerated.share * played ? Math.round(played - readGames) : 0
}

/** The skills after some games, and the seasons of announced starters by `season/pitcher`. */
interface LearnedSkills {
  readonly skills: Skills
  readonly asked: Map<string, PitchingCounts>
}

/** The league's rates of a whole season: the stored ones, or those of the training. */
export const makeLeagueRates =
  ({ careers }: PitchedGames): Careers["league"] =>
  (season) =>
    careers.league(season) ?? trained.skill.league[season]

const learnGames = (pitched: PitchedGames): LearnedSkills => {
  const { games, careers } = pitched
  const asked = new Map<string, PitchingCounts>()
  const skills = makeSkills(
    {
      of: (pitcher, season) => careers.of(pitcher, season) ?? asked.get(`${season}/${pitcher}`),
      league: makeLeagueRates(pitched),
    },
    parameters,
    trained.skill.states,
  )
  for (const game of sortByTime(games)) if (game.season > trained.skill.states.season) skills.learn(game)
  return { skills, asked }
}

/**
 * Makes a function that gives the skills for a game to come; it learns from each set of finished games once. They are
 * undefined for games of the training's seasons, from which the states have learned, and if too many games lack lines.
 */
export const makeServedSkills = (): ((data: SkillData) => SkillTerms | undefined) => {
  const learnedFrom = perObject(learnGames)
  return (data) => {
    const { game, pitched, home, away } = data
    if (game.season <= trained.skill.states.season || countLackingLines(data) > 0) return undefined
    const learned = learnedFrom(pitched)
    const toSkillSide = ({ teamId, starter }: ListedSide, lines: PitcherLines | undefined): SkillSide => {
      for (const [season, counts] of lines?.counts ?? []) learned.asked.set(`${season}/${starter!.id}`, counts)
      return { team: String(teamId), starter: starter && String(starter.id) }
    }
    const sides = { home: toSkillSide(game.home, home), away: toSkillSide(game.away, away) }
    return learned.skills.before({ season: game.season, day: game.officialDate, ...sides })
  }
}

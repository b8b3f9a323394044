import { perObject } from "../../../perObject.ts"
import type { TeamLine } from "../lines.ts"
import { trained } from "../Model.ts"
import { parameters } from "../parameters.ts"
import type { ListedGame, ListedSide, PitchedGames, PitcherLines } from "../ports.ts"
import type { Careers, PitchingCounts } from "./rates.ts"
import { makeSkills, type SkillSide, type Skills, type SkillTerms, sortByTime } from "./states.ts"

/** The data behind the skills of a game. */
export interface SkillData {
  readonly game: ListedGame
  /** Runs of this season, of every team. */
  readonly teams: { readonly lines: ReadonlyMap<number, TeamLine> }
  readonly pitched: PitchedGames
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
}

/** Games of a season that may lack lines: those of a last day, and a share of those that were refused. */
const mayLack = { games: 15, share: 0.02 }

/** How many of a season's games, by the standings, lack lines of pitching; 0 where so few do that the skills stand. */
export const lackingLines = ({ game, teams, pitched }: SkillData): number => {
  const played = [...teams.lines.values()].reduce((sum, { games }) => sum + games, 0) / 2
  const there = pitched.games.filter(({ season }) => season === game.season).length
  return played - there > mayLack.games + mayLack.share * played ? Math.round(played - there) : 0
}

/** The skills after some games, and the careers of starters to come. */
interface Learned {
  readonly skills: Skills
  readonly asked: Map<string, PitchingCounts>
}

/** The league's rates of a whole season: stored ones, or those of the training. */
export const leagueRates =
  ({ careers }: PitchedGames): Careers["league"] =>
  (season) =>
    careers.league(season) ?? trained.skill.league[season]

const learn = (pitched: PitchedGames): Learned => {
  const { games, careers } = pitched
  const asked = new Map<string, PitchingCounts>()
  const skills = makeSkills(
    {
      of: (pitcher, season) => careers.of(pitcher, season) ?? asked.get(`${season}/${pitcher}`),
      league: leagueRates(pitched),
    },
    parameters,
    trained.skill.states,
  )
  for (const game of sortByTime(games)) if (game.season > trained.skill.states.season) skills.learn(game)
  return { skills, asked }
}

/**
 * The skills of games to come, each folded once over the games before it. Undefined for games of the training's seasons,
 * which the states have learned from, and where too many games lack lines.
 */
export const makeServedSkills = (): ((data: SkillData) => SkillTerms | undefined) => {
  const learnedFrom = perObject(learn)
  return (data) => {
    const { game, pitched, home, away } = data
    if (game.season <= trained.skill.states.season || lackingLines(data) > 0) return undefined
    const learned = learnedFrom(pitched)
    const toSkillSide = ({ teamId, starter }: ListedSide, lines: PitcherLines | undefined): SkillSide => {
      for (const [season, counts] of lines?.counts ?? []) learned.asked.set(`${season}/${starter!.id}`, counts)
      return { team: String(teamId), starter: starter && String(starter.id) }
    }
    const sides = { home: toSkillSide(game.home, home), away: toSkillSide(game.away, away) }
    return learned.skills.before({ season: game.season, day: game.officialDate, ...sides })
  }
}

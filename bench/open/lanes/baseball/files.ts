import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BenchError } from "../../compare/BenchError.ts"
import { filesIn, readInput } from "../files.ts"
import { type Archived, baseballData, feeds } from "./data.ts"
import { type SkillArchive, skillFeeds } from "./skillFiles.ts"

export interface BaseballFiles {
  /** Games with starters and moneylines. */
  readonly odds: string
  /** The same games with runs by inning; without it starters have no history. */
  readonly innings?: string | undefined
  /** A folder of Retrosheet game logs, `GL*.TXT`, plain or gzip. */
  readonly retrosheet?: string | undefined
  /** A folder of lines of teams and pitchers with the starters of games; without it games have no skills. */
  readonly skill?: string | undefined
}

const form = /^GL\d{4}\.TXT(\.gz)?$/i

const skillForms: Readonly<Record<keyof typeof skillFeeds, RegExp>> = {
  team_pitching: /team_pitching_by_game.*\.csv(\.gz)?$/i,
  pitcher_seasons: /pitchers_by_season.*\.csv(\.gz)?$/i,
  batter_seasons: /batters_by_season.*\.csv(\.gz)?$/i,
  starters: /starters.*\.csv(\.gz)?$/i,
}

const readSkill = Effect.fnUntraced(function* (folder: string) {
  const fileOf = (name: keyof typeof skillFeeds) =>
    Effect.map(filesIn(folder, skillForms[name], `file of ${name}`), ([path]) => path!)
  const pitching = yield* readInput(skillFeeds.team_pitching, yield* fileOf("team_pitching"))
  const careers = yield* readInput(skillFeeds.pitcher_seasons, yield* fileOf("pitcher_seasons"))
  const batters = yield* readInput(skillFeeds.batter_seasons, yield* fileOf("batter_seasons"))
  const starters = yield* readInput(skillFeeds.starters, yield* fileOf("starters"))
  const archive: SkillArchive = {
    ...{ pitching: pitching.values, careers: careers.values },
    ...{ batters: batters.values, starters: starters.values },
  }
  return { archive, inputs: [pitching.input, careers.input, batters.input, starters.input] }
})

/** Reads games with their prices from archives. */
export const readBaseball = Effect.fnUntraced(function* ({ odds, innings, retrosheet, skill }: BaseballFiles) {
  const games = yield* readInput(feeds.odds, odds)
  const byInning = innings === undefined ? [] : [yield* readInput(feeds.innings, innings)]
  const paths =
    retrosheet === undefined ? [] : yield* filesIn(retrosheet, form, "game logs (GL2021.TXT, plain or gzip)")
  const logs = yield* Effect.forEach(paths, (path) => readInput(feeds.game_logs, path))
  const skills = skill === undefined ? undefined : yield* readSkill(skill)
  const archived: Archived = {
    odds: games.values,
    innings: byInning.flatMap(({ values }) => values),
    logs: logs.flatMap(({ values }) => values),
    skill: skills?.archive,
    inputs: [...[games, ...byInning, ...logs].map(({ input }) => input), ...(skills?.inputs ?? [])],
  }
  return yield* Either.mapLeft(baseballData(archived), (message) => new BenchError({ message }))
})

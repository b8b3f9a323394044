import * as Either from "effect/Either"
import { getOrMake } from "../../../getOrMake.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { perObject } from "../../../perObject.ts"
import * as Step from "../../../Step.ts"
import { hour } from "../../../time.ts"
import { makeStacked } from "../Model.ts"
import { parameters } from "../parameters.ts"
import type { ListedGame, PitchedGames, SeasonLines, Slates, Sourced } from "../ports.ts"
import { computeLineUpDifference, type LineUp, type TeamLineUps, takeUsual, whyImplausibleLineUp } from "./lineUps.ts"
import { makeLeagueRates, makeServedSkills, type SkillData } from "./served.ts"
import type { Stacked } from "./stack.ts"
import { sortByTime } from "./states.ts"

/** The difference of a game's line-ups, or why they are not used. */
export type ServedLineUps =
  | { readonly difference: number; readonly sources: ReadonlyArray<Sourced> }
  | { readonly reason: string; readonly flag?: Flag }

type Flag = "line_up_refused" | "line_up_unavailable"

/** Line-ups are read from 8 hours before the first pitch on: teams post them two to four hours before it. */
const earliestReadMs = 8 * hour

const sides = ["home", "away"] as const

const groupUsual = perObject(({ games }: PitchedGames): ReadonlyMap<string, ReadonlyArray<LineUp>> => {
  const all = new Map<string, Array<LineUp>>()
  for (const { season, home, away } of sortByTime(games)) {
    for (const { team, lineUp } of [home, away]) {
      if (lineUp !== undefined) getOrMake(all, `${season}/${team}`, () => []).push(lineUp)
    }
  }
  return new Map([...all].map(([key, own]) => [key, takeUsual(own, parameters)]))
})

const findUsual = (pitched: PitchedGames, season: number, teamId: number): ReadonlyArray<LineUp> =>
  groupUsual(pitched).get(`${season}/${teamId}`) ?? []

/** Makes a function that reads the posted line-ups of a game and the seasons of their batters. */
const makeLineUpReader = (slates: typeof Slates.Service, lines: typeof SeasonLines.Service) => {
  return Step.method(function* (game: ListedGame, pitched: PitchedGames) {
    const none = (reason: string, flag?: Flag): ServedLineUps => ({
      reason: reason.replace(/\.$/, ""),
      ...ifDefined("flag", flag),
    })
    if ((yield* Step.now) < game.firstPitch - earliestReadMs)
      return none("Line-ups are posted hours before the first pitch")
    const read = yield* Step.attempted(slates.lineUps(game.gamePk))
    if (Either.isLeft(read)) return none(read.left.message, "line_up_unavailable")
    const posted = read.right
    if (posted.refusal !== undefined) return none(posted.refusal, "line_up_refused")
    const { teams } = posted
    if (teams !== undefined && sides.some((side) => teams[side] !== game[side].teamId))
      return none(`The box score is of teams ${teams.away} at ${teams.home}`, "line_up_refused")
    const missing = sides.filter((side) => posted[side].length === 0).map((side) => game[side].name)
    if (missing.length > 0) return none(`No line-up is posted by ${missing.join(" and ")}`)
    const odd = sides.flatMap((side) => {
      const reason = whyImplausibleLineUp(posted[side], parameters)
      return reason === undefined ? [] : [`Line-up of ${game[side].name}: ${reason}`]
    })
    if (odd[0] !== undefined) return none(odd[0], "line_up_refused")
    const [home, away] = sides.map(
      (side): TeamLineUps => ({ own: posted[side], recent: findUsual(pitched, game.season, game[side].teamId) }),
    ) as [TeamLineUps, TeamLineUps]
    const readBatters = ({ own, recent }: TeamLineUps) =>
      lines.batters([...new Set([own, ...recent].flat())].sort(), game.season)
    const batters = yield* Step.attempted(Step.all([readBatters(home), readBatters(away)]))
    if (Either.isLeft(batters)) return none(batters.left.message, "line_up_unavailable")
    const [homeBatters, awayBatters] = batters.right
    const careers = {
      of: (batter: string, season: number) => homeBatters.of(batter, season) ?? awayBatters.of(batter, season),
      league: makeLeagueRates(pitched),
    }
    const difference = computeLineUpDifference(game.season, { home, away }, careers, parameters)
    const used: ServedLineUps = { difference, sources: [posted, homeBatters, awayBatters] }
    return used
  })
}

/** Makes a function that reads the skills and line-ups of a game, as far as there are any. */
export const makeStackReader = (slates: typeof Slates.Service, lines: typeof SeasonLines.Service) => {
  const [toTerms, readLineUps] = [makeServedSkills(), makeLineUpReader(slates, lines)]
  return Step.method(function* (data: SkillData) {
    const { game, pitched } = data
    const terms = toTerms(data)
    const lineUps: ServedLineUps =
      terms === undefined
        ? { reason: "Line-ups add to skills, and there are none" }
        : game.phase === "off"
          ? { reason: `The game is ${game.state.toLowerCase()}` }
          : yield* readLineUps(game, pitched)
    const stacked: Stacked | undefined = makeStacked(
      game.season,
      terms,
      "difference" in lineUps ? lineUps.difference : undefined,
    )
    return { lineUps, stacked }
  })
}

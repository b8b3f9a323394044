import { ifDefined } from "../../../ifDefined.ts"
import type { Game } from "../data/Game.ts"

/** A franchise's home field, as of the last game that it hosted. */
interface HomeField {
  readonly turf?: boolean
  readonly indoor?: boolean
}

/** The covariates in the order of the filter's state. */
export const marginCovariates = ["rest_diff", "div_hfa", "west_early", "surf_switch", "prime_hfa", "no_fans"] as const
export const totalCovariates = ["indoor", "wind", "div_tot", "prime_tot", "early_wk"] as const

export type MarginCovariate = (typeof marginCovariates)[number]

/** Hours behind US Eastern. Arizona, without daylight time, counts as Mountain. */
const hoursWest: Readonly<Record<string, number>> = {
  ...Object.fromEntries(["CHI", "DAL", "GB", "HOU", "KC", "MIN", "NO", "STL", "TEN"].map((code) => [code, 1])),
  ...Object.fromEntries(["ARI", "DEN"].map((code) => [code, 2])),
  ...Object.fromEntries(["LA", "LAC", "LV", "OAK", "SD", "SEA", "SF"].map((code) => [code, 3])),
}

const toHoursWest = (code: string): number => hoursWest[code] ?? 0

const kickoffHour = ({ kickoff }: Game): number | undefined =>
  kickoff === undefined ? undefined : Number(kickoff.slice(0, 2))

/** Whether a surface is artificial turf. Grass with sewn-in fibres counts as grass. */
const isTurf = (surface: string): boolean => surface !== "grass" && surface !== "dessograss"

const toFlag = (holds: boolean): number => (holds ? 1 : 0)

/** Days of rest count up to this. */
const maxRest = 11

/** The field of a game; values that its row lacks are those of the home team's usual field. */
const toGameField = (game: Game, home: HomeField): HomeField => {
  const usual = game.neutral ? {} : home
  const turf = game.surface === undefined ? usual.turf : isTurf(game.surface)
  const indoor = game.roof === undefined ? usual.indoor : game.roof === "dome" || game.roof === "closed"
  return { ...ifDefined("turf", turf), ...ifDefined("indoor", indoor) }
}

/** The home field after a game; values that its row lacks stay. */
export const updateHomeField = (game: Game, home: HomeField): HomeField =>
  game.neutral ? home : { ...home, ...toGameField(game, home) }

/**
 * The covariates of the margin, from the home team's side. At a neutral site only the rest counts.
 *
 * rest_diff: difference of the days of rest, at most 11 each, within ±4, in thirds; 0 in week 1. div_hfa: a division game.
 * west_early: the visitor's home is two or more hours west of the venue and the game starts before 14:00 Eastern.
 * surf_switch: the visitor's own field is of the other kind (grass or turf). prime_hfa: kickoff at 19:00 Eastern or later.
 * no_fans: the season of 2020. An unknown value counts as 0.
 *
 * @returns in the order of `marginCovariates`
 */
export const makeMarginRow = (game: Game, home: HomeField, away: HomeField): ReadonlyArray<number> => {
  const difference = Math.min(game.home.rest, maxRest) - Math.min(game.away.rest, maxRest)
  const rest = game.week === 1 ? 0 : Math.max(-4, Math.min(4, difference)) / 3
  if (game.neutral) return [rest, 0, 0, 0, 0, 0]
  const hour = kickoffHour(game)
  const { turf } = toGameField(game, home)
  return [
    rest,
    toFlag(game.division),
    toFlag(hour !== undefined && hour <= 13 && toHoursWest(game.away.code) - toHoursWest(game.home.code) >= 2),
    toFlag(turf !== undefined && away.turf !== undefined && turf !== away.turf),
    toFlag(hour !== undefined && hour >= 19),
    toFlag(game.season === 2020),
  ]
}

/**
 * The covariates of the total. indoor: dome or closed roof. wind: miles per hour above 8, in tens, outdoors. div_tot,
 * prime_tot: as for the margin, also at a neutral site. early_wk: weeks 1–3.
 *
 * @param usualWind replaces an unknown wind outdoors
 * @returns in the order of `totalCovariates`
 */
export const makeTotalRow = (game: Game, home: HomeField, usualWind: number): ReadonlyArray<number> => {
  const indoor = toGameField(game, home).indoor === true
  const hour = kickoffHour(game)
  const unknown = game.roof === "open" ? 0 : usualWind
  const wind = game.wind === undefined ? unknown : Math.max(0, game.wind - 8) / 10
  return [
    toFlag(indoor),
    indoor ? 0 : wind,
    toFlag(game.division),
    toFlag(hour !== undefined && hour >= 19),
    toFlag(game.week <= 3),
  ]
}

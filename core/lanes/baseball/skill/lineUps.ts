import { getOrMake } from "../../../getOrMake.ts"
import type { Hyperparameters } from "../parameters.ts"
import { type Careers, careerBefore } from "./rates.ts"

/** Ids of nine batters, in their order. */
export type LineUp = ReadonlyArray<string>

/** Why batters cannot be a line-up; undefined: they can. */
export const implausibleLineUp = (batters: LineUp, { lineUp: { order } }: Hyperparameters): string | undefined => {
  if (batters.length !== order.length) return `It has ${batters.length} of ${order.length} batters`
  const twice = batters.find((batter, at) => batters.indexOf(batter) !== at)
  return twice === undefined ? undefined : `Batter ${twice} is in it twice`
}

/** A team's line-up of a game, and those of its games of the season on the days before, oldest first. */
export interface TeamLineUps {
  readonly own: LineUp
  readonly recent: ReadonlyArray<LineUp>
}

/** A team's usual line-ups: those of its last games. */
export const usualLineUp = (
  lineUps: ReadonlyArray<LineUp>,
  { lineUp: { usual } }: Hyperparameters,
): ReadonlyArray<LineUp> => lineUps.slice(-usual.games)

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The home team's line-up above its usual one, less the visitors', in runs by linear weights per plate appearance. A
 * batter is projected from his seasons before, shrunk to the league; a line-up is the mean of its batters, weighted by
 * their places; the usual one is the mean of the team's last games.
 *
 * @param careers of batters
 */
export const lineUpDifference = (
  season: number,
  { home, away }: { readonly home: TeamLineUps; readonly away: TeamLineUps },
  careers: Careers,
  parameters: Hyperparameters,
): number => {
  const { seasons, priorAppearances, unknown, order, usual } = parameters.lineUp
  const projections = new Map<string, number>()
  const projected = (batter: string): number =>
    getOrMake(projections, batter, () => {
      const { above, faced } = careerBefore(careers, batter, season, "lw", seasons)
      return faced === 0 ? unknown : above / (faced + priorAppearances)
    })
  const weights = order.reduce((sum, weight) => sum + weight, 0)
  const lineUpValue = (lineUp: LineUp): number =>
    lineUp.reduce((sum, batter, at) => sum + order[at]! * projected(batter), 0) / weights
  const aboveUsual = ({ own, recent }: TeamLineUps): number =>
    recent.length < usual.least ? 0 : lineUpValue(own) - mean(usualLineUp(recent, parameters).map(lineUpValue))
  return aboveUsual(home) - aboveUsual(away)
}

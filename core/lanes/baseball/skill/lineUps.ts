import { getOrMake } from "../../../getOrMake.ts"
import { mean } from "../../../math/mean.ts"
import type { Hyperparameters } from "../parameters.ts"
import { type Careers, sumCareer } from "./rates.ts"

/** The ids of nine batters, in batting order. */
export type LineUp = ReadonlyArray<string>

/** Why batters cannot be a line-up; undefined if they can. */
export const whyImplausibleLineUp = (batters: LineUp, { lineUp: { order } }: Hyperparameters): string | undefined => {
  if (batters.length !== order.length) return `It has ${batters.length} of ${order.length} batters`
  const twice = batters.find((batter, at) => batters.indexOf(batter) !== at)
  return twice === undefined ? undefined : `Batter ${twice} is in it twice`
}

/** A team's line-up for a game, and those of its earlier games of the season, oldest first. */
export interface TeamLineUps {
  readonly own: LineUp
  readonly recent: ReadonlyArray<LineUp>
}

/** The line-ups that count as a team's usual ones: those of its last games. */
export const takeUsual = (
  lineUps: ReadonlyArray<LineUp>,
  { lineUp: { usual } }: Hyperparameters,
): ReadonlyArray<LineUp> => lineUps.slice(-usual.games)

/**
 * How far the home team's line-up is above its usual one, minus the same for the visitors, in runs by linear weights per
 * plate appearance. A batter is projected from his earlier seasons, shrunk to the league; a line-up is the mean of its
 * batters, weighted by their places in the order; the usual one is the mean over the team's last games.
 *
 * @param careers of batters
 */
export const computeLineUpDifference = (
  season: number,
  { home, away }: { readonly home: TeamLineUps; readonly away: TeamLineUps },
  careers: Careers,
  parameters: Hyperparameters,
): number => {
  const { seasons, priorAppearances, unknown, order, usual } = parameters.lineUp
  const projections = new Map<string, number>()
  const projected = (batter: string): number =>
    getOrMake(projections, batter, () => {
      const { above, faced } = sumCareer(careers, batter, season, "lw", seasons)
      return faced === 0 ? unknown : above / (faced + priorAppearances)
    })
  const weights = order.reduce((sum, weight) => sum + weight, 0)
  const lineUpValue = (lineUp: LineUp): number =>
    lineUp.reduce((sum, batter, at) => sum + order[at]! * projected(batter), 0) / weights
  const aboveUsual = ({ own, recent }: TeamLineUps): number =>
    recent.length < usual.least ? 0 : lineUpValue(own) - mean(takeUsual(recent, parameters).map(lineUpValue))
  return aboveUsual(home) - aboveUsual(away)
}

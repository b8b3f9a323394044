import { eventsOf, type PitchingCounts, type RateName, type Rates } from "./rates.ts"

/** Whole seasons of pitchers or batters, read only for seasons before that of the game. */
export interface Careers {
  readonly of: (player: string, season: number) => PitchingCounts | undefined
  /** Rates of all pitchers together, which are those of all batters. */
  readonly league: (season: number) => Rates | undefined
}

/**
 * A player's seasons before one: a rate's events above the league's, and the batters faced or plate appearances behind
 * them, both weighted by season.
 *
 * @param weights newest season first
 */
export const careerBefore = (
  careers: Careers,
  player: string,
  season: number,
  name: RateName,
  weights: ReadonlyArray<number>,
): { readonly above: number; readonly faced: number } => {
  let above = 0
  let faced = 0
  weights.forEach((weight, at) => {
    const [own, usual] = [careers.of(player, season - 1 - at), careers.league(season - 1 - at)]
    if (own === undefined || usual === undefined) return
    above += weight * (eventsOf[name](own) - usual[name] * own.faced)
    faced += weight * own.faced
  })
  return { above, faced }
}

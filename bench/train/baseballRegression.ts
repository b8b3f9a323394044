import { fitLogistic, logistic } from "../../core/math/logistic.ts"
import type { Played } from "./baseballWalk.ts"

/** Win probabilities of home teams by game id. */
export type Forecasts = ReadonlyMap<string, number>

/** Seasons to fit on. */
export interface Fitted {
  readonly first: number
  readonly last: number
}

/** Coefficients for the games of a season, fitted on the seasons before it. */
export interface SeasonFit {
  readonly season: number
  readonly games: number
  readonly coefficients: ReadonlyArray<number>
}

/** Whether the home team won; ties are neither fitted nor scored. */
export const homeWon = ({ home, away }: Played): boolean | undefined =>
  home.runs === away.runs ? undefined : home.runs > away.runs

/** The home edge as a regressor. */
export const edgeOf = ({ neutral }: Played): number => (neutral ? 0 : 1)

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * Logistic regressions, one per season, fitted on the earlier seasons only. The regression after the last fitted season
 * serves all later ones.
 *
 * @returns coefficients rounded to six decimals, so that published and used values are equal
 */
export const seasonalFits = (
  games: ReadonlyArray<Played>,
  regressorsOf: (game: Played) => ReadonlyArray<number>,
  { first, last }: Fitted,
): ReadonlyArray<SeasonFit> => {
  const rows = games.flatMap((game) => {
    const won = homeWon(game)
    const isUsed = won !== undefined && game.season >= first && game.season <= last
    return isUsed ? [{ season: game.season, won, row: regressorsOf(game) }] : []
  })
  return Array.from({ length: last + 1 - first }, (_, at) => {
    const season = first + 1 + at
    const before = rows.filter((row) => row.season < season)
    const fit = fitLogistic(
      before.map(({ row }) => row),
      before.map(({ won }) => won),
    )
    return { season, games: before.length, coefficients: fit.coefficients.map(rounded) }
  })
}

/** The fit for a season; none for seasons up to the first fitted one. */
export const fitFor = <A extends { readonly season: number }>(fits: ReadonlyArray<A>, season: number): A | undefined =>
  season < fits[0]!.season ? undefined : fits[Math.min(season - fits[0]!.season, fits.length - 1)]

/** Probabilities for every game with a fit. */
export const seasonalForecasts = (
  games: ReadonlyArray<Played>,
  regressorsOf: (game: Played) => ReadonlyArray<number>,
  fitted: Fitted,
): Forecasts => {
  const fits = seasonalFits(games, regressorsOf, fitted)
  return new Map(
    games.flatMap((game) => {
      const fit = fitFor(fits, game.season)
      if (fit === undefined) return []
      const logOdds = regressorsOf(game).reduce((sum, value, k) => sum + value * fit.coefficients[k]!, 0)
      return [[game.id, logistic(logOdds)] as const]
    }),
  )
}

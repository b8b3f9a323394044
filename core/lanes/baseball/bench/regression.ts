import { includes, type Seasons } from "../../../bench/seasons.ts"
import { fitLogistic, logistic } from "../../../math/logistic.ts"
import type { Played } from "./walk.ts"

/** Win probabilities of home teams by game id. */
export type Forecasts = ReadonlyMap<string, number>

/** Coefficients for the games of a season, fitted on the seasons before it. */
export interface SeasonFit {
  readonly season: number
  readonly games: number
  readonly coefficients: ReadonlyArray<number>
}

/** The runs of both sides. */
export interface Result {
  readonly home: { readonly runs: number }
  readonly away: { readonly runs: number }
}

/** Whether the home team won; ties are neither fitted nor scored. */
export const homeWon = ({ home, away }: Result): boolean | undefined =>
  home.runs === away.runs ? undefined : home.runs > away.runs

/** The home edge as a regressor. */
export const edgeOf = ({ neutral }: Played): number => (neutral ? 0 : 1)

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * Logistic regressions, one per season, fitted on the earlier seasons only. The regression after the last fitted season
 * serves all later ones.
 *
 * @param fitted the seasons to fit on
 * @returns coefficients rounded to six decimals, so that published and used values are equal
 */
export const seasonalFits = (
  games: ReadonlyArray<Played>,
  regressorsOf: (game: Played) => ReadonlyArray<number>,
  fitted: Seasons,
): ReadonlyArray<SeasonFit> => {
  const rows = games.flatMap((game) => {
    const won = homeWon(game)
    return won !== undefined && includes(fitted, game.season)
      ? [{ season: game.season, won, row: regressorsOf(game) }]
      : []
  })
  const seasons = Array.from({ length: Math.max(0, fitted.to + 1 - fitted.from) }, (_, at) => fitted.from + 1 + at)
  return seasons.flatMap((season) => {
    const before = rows.filter((row) => row.season < season)
    if (before.length === 0) return []
    const fit = fitLogistic(
      before.map(({ row }) => row),
      before.map(({ won }) => won),
    )
    return { season, games: before.length, coefficients: fit.coefficients.map(rounded) }
  })
}

/** The fit for a season; none for seasons up to the first fitted one. */
export const fitFor = <A extends { readonly season: number }>(fits: ReadonlyArray<A>, season: number): A | undefined =>
  fits.findLast((fit) => fit.season <= season)

/** Probabilities for every game with a fit; none where the likelihood of the fit has no maximum. */
export const seasonalForecasts = (
  games: ReadonlyArray<Played>,
  regressorsOf: (game: Played) => ReadonlyArray<number>,
  fitted: Seasons,
): Forecasts => {
  const fits = seasonalFits(games, regressorsOf, fitted)
  return new Map(
    games.flatMap((game) => {
      const fit = fitFor(fits, game.season)
      if (fit === undefined) return []
      const logOdds = regressorsOf(game).reduce((sum, value, k) => sum + value * fit.coefficients[k]!, 0)
      return Number.isFinite(logOdds) ? [[game.id, logistic(logOdds)] as const] : []
    }),
  )
}

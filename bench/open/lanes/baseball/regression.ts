import { fitLogistic, logistic } from "../../../../core/math/logistic.ts"
import { includes, type Seasons } from "../../compare/seasons.ts"
import type { Played } from "./walk.ts"

/** Win probabilities of home teams by game id. */
export type Forecasts = ReadonlyMap<string, number>

/** Coefficients for the games of a season, fitted on the seasons before it. */
interface SeasonFit {
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

/** Coefficients of a logistic regression, one per regressor. */
export type Fit = (rows: ReadonlyArray<ReadonlyArray<number>>, won: ReadonlyArray<boolean>) => ReadonlyArray<number>

const plain: Fit = (rows, won) => fitLogistic(rows, won).coefficients

/**
 * A fit with a penalty of one on the squares of the coefficients per standard deviation, but the first, that of the home
 * edge. Regressors are not centred: on neutral ground the sides are exchangeable.
 */
export const ridge: Fit = (rows, won) => {
  const scales = (rows[0] ?? []).map((_, k) => {
    if (k === 0) return 1
    const mean = rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length
    return Math.sqrt(rows.reduce((sum, row) => sum + (row[k]! - mean) ** 2, 0) / rows.length)
  })
  const scaled = rows.map((row) => row.map((value, k) => value / scales[k]!))
  const { coefficients } = fitLogistic(scaled, won, [0, ...scales.slice(1).map(() => 1)])
  return coefficients.map((weight, k) => weight / scales[k]!)
}

/** The fit of one regressor on top of log-odds, which are the first of each row and keep the coefficient 1. */
export const onTop: Fit = (rows, won) => {
  const offsets = rows.map(([given]) => given!)
  const others = rows.map((row) => row.slice(1))
  return fitLogistic(others, won, [], offsets).coefficients
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/**
 * Logistic regressions, one per season, fitted on the earlier seasons only. The regression after the last fitted season
 * serves all later ones.
 *
 * @param fitted the seasons to fit on; a game without regressors is left out
 * @returns coefficients rounded to six decimals, so that published and used values are equal
 */
export const seasonalFits = (
  games: ReadonlyArray<Played>,
  regressorsOf: (game: Played) => ReadonlyArray<number> | undefined,
  fitted: Seasons,
  method: Fit = plain,
): ReadonlyArray<SeasonFit> => {
  const rows = games.flatMap((game) => {
    const [won, row] = [homeWon(game), includes(fitted, game.season) ? regressorsOf(game) : undefined]
    return won === undefined || row === undefined ? [] : [{ season: game.season, won, row }]
  })
  const seasons = Array.from({ length: Math.max(0, fitted.to + 1 - fitted.from) }, (_, at) => fitted.from + 1 + at)
  return seasons.flatMap((season) => {
    const before = rows.filter((row) => row.season < season)
    if (before.length === 0) return []
    const coefficients = method(
      before.map(({ row }) => row),
      before.map(({ won }) => won),
    )
    return { season, games: before.length, coefficients: coefficients.map(rounded) }
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

import { mean } from "../../../bench/mean.ts"
import { leastSquares } from "../../../math/leastSquares.ts"
import * as normal from "../../../math/normal.ts"
import { gamedays } from "../data/Game.ts"
import { impliedHomeWin, type MarketLines } from "../data/lines.ts"
import type { Forecast } from "../model/score.ts"
import type { Played } from "./data.ts"

/** Forecasts by game id. */
export type Forecasts = ReadonlyMap<string, Forecast>

const marginOf = ({ score }: Played): number => score.home - score.away

export const closeName = "market close"

/** The closing market. */
export const market = (lines: ReadonlyMap<string, MarketLines>): Forecasts =>
  new Map(
    [...lines].flatMap(([id, line]) =>
      line.spread === undefined
        ? []
        : [[id, { homeMargin: line.spread, total: line.total, winHome: impliedHomeWin(line) }] as const],
    ),
  )

const isNumber = ({ homeMargin, total = 0, winHome = 0 }: Forecast): boolean =>
  [homeMargin, total, winHome].every(Number.isFinite)

/** Forecasts fitted, per season, on the ten seasons before; none where these have too few games. */
const seasonal = <A>(
  games: ReadonlyArray<Played>,
  estimateFrom: (before: ReadonlyArray<Played>, season: number) => A,
  forecast: (game: Played, fitted: A) => Forecast,
): Forecasts => {
  const seasons = [...new Set(games.map(({ season }) => season))]
  return new Map(
    seasons.flatMap((season) => {
      const before = games.filter((game) => game.season < season && game.season >= season - 10)
      const fitted = estimateFrom(before, season)
      return games
        .filter((game) => game.season === season)
        .map((game) => [game.id, forecast(game, fitted)] as const)
        .filter(([, made]) => isNumber(made))
    }),
  )
}

/** Mean home margin of the ten seasons before; 0 on neutral ground. Total: mean of the three before. */
const homeConstant = (games: ReadonlyArray<Played>): Forecasts =>
  seasonal(
    games,
    (before, season) => {
      const margins = before.filter((game) => !game.neutral).map(marginOf)
      const margin = mean(margins)
      const recent = before.filter((game) => game.season >= season - 3)
      return {
        margin,
        sigma: Math.sqrt(mean(margins.map((value) => (value - margin) ** 2))),
        total: mean(recent.map(({ score }) => score.home + score.away)),
      }
    },
    ({ neutral }, { margin, sigma, total }) => {
      const homeMargin = neutral ? 0 : margin
      return { homeMargin, total, winHome: normal.cdf(homeMargin / sigma) }
    },
  )

/** The exponent of the Pythagorean expectation for football, after D. Morey. */
const exponent = 2.37
/** Games of last season's form carried over, regressed halfway to the league mean. */
const priorGames = 6
const carry = 0.5

/** ln(PF / PA) · exponent of both teams before each game: the logit of the Pythagorean expectation. */
const pythagoreanGaps = (games: ReadonlyArray<Played>): ReadonlyMap<string, number> => {
  interface Form {
    season: number
    games: number
    scored: number
    allowed: number
  }
  const usual = 21.5
  const forms = new Map<string, Form>()
  const formOf = (team: string, season: number): Form => {
    const form = forms.get(team)
    if (form?.season === season) return form
    const back = (points: number, of: number) => priorGames * (usual + carry * (points / of - usual))
    const begun =
      form === undefined
        ? { season, games: priorGames, scored: priorGames * usual, allowed: priorGames * usual }
        : {
            season,
            games: priorGames,
            scored: back(form.scored, form.games),
            allowed: back(form.allowed, form.games),
          }
    forms.set(team, begun)
    return begun
  }
  const gaps = new Map<string, number>()
  for (const day of gamedays(games) as ReadonlyArray<ReadonlyArray<Played>>) {
    for (const { id, season, home, away } of day) {
      const [homeForm, awayForm] = [formOf(home.team, season), formOf(away.team, season)]
      gaps.set(
        id,
        exponent * (Math.log(homeForm.scored / homeForm.allowed) - Math.log(awayForm.scored / awayForm.allowed)),
      )
    }
    for (const { season, home, away, score } of day) {
      for (const [side, scored, allowed] of [
        [home, score.home, score.away],
        [away, score.away, score.home],
      ] as const) {
        const form = formOf(side.team, season)
        form.games += 1
        form.scored += scored
        form.allowed += allowed
      }
    }
  }
  return gaps
}

/** log5 of both teams' Pythagorean expectations, scaled to points by least squares over the ten seasons before. */
const pythagorean = (games: ReadonlyArray<Played>): Forecasts => {
  const gaps = pythagoreanGaps(games)
  const edgeOf = ({ neutral }: Played): number => (neutral ? 0 : 1)
  return seasonal(
    games,
    (before) => leastSquares(before.map((game) => [edgeOf(game), gaps.get(game.id)!, marginOf(game)])),
    (game, { a, b, sigma }) => {
      const homeMargin = a * edgeOf(game) + b * gaps.get(game.id)!
      return { homeMargin, winHome: normal.cdf(homeMargin / sigma) }
    },
  )
}

/** Forecasts from scores alone, each season's fitted on earlier ones. */
export const simple = (games: ReadonlyArray<Played>): ReadonlyArray<readonly [name: string, forecasts: Forecasts]> => [
  ["pythagorean log5", pythagorean(games)],
  ["home constant", homeConstant(games)],
]

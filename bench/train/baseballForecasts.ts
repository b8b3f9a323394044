import type { Parameters } from "../../core/lanes/baseball/parameters.ts"
import {
  type Coefficients,
  differencesOf,
  inputsOf,
  pythagorean,
  winProbHome,
} from "../../core/lanes/baseball/winProbability.ts"
import { logit } from "../../core/math/logistic.ts"
import { impliedHomeWin, type Price } from "./baseballPrices.ts"
import { edgeOf, type Fitted, type Forecasts, fitFor, seasonalFits, seasonalForecasts } from "./baseballRegression.ts"
import { gamedays, type Played, walk } from "./baseballWalk.ts"

/** The coefficients of the model for the games of one season. */
export interface SeasonCoefficients extends Coefficients {
  readonly season: number
  /** How many games they were fitted on, all of earlier seasons. */
  readonly games: number
}

const none: Coefficients = { home_edge: 0, pythagorean: 0, starter_era: 0 }

/** Fits the model and runs it over every game that a fit serves, from the coefficients as they are published. */
export const fitModel = (games: ReadonlyArray<Played>, fitted: Fitted, parameters: Parameters) => {
  const known = [...walk(games, parameters)]
  const differences = new Map(
    known.map(({ game, matchup }) => [
      game.id,
      [edgeOf(game), ...differencesOf(inputsOf(matchup, none, parameters), matchup.leagueEra)],
    ]),
  )
  const coefficients = seasonalFits(games, ({ id }) => differences.get(id)!, fitted).map(
    ({ season, games: count, coefficients: [home_edge, expectation, starter_era] }): SeasonCoefficients => ({
      season,
      games: count,
      home_edge: home_edge!,
      pythagorean: expectation!,
      starter_era: starter_era!,
    }),
  )
  const forecasts: Forecasts = new Map(
    known.flatMap(({ game, matchup }) => {
      const fit = fitFor(coefficients, game.season)
      return fit === undefined
        ? []
        : [[game.id, winProbHome(inputsOf(matchup, fit, parameters), fit, matchup.leagueEra)] as const]
    }),
  )
  return { coefficients, forecasts }
}

/** The market, its margin taken out in proportion. */
export const market = (prices: ReadonlyMap<string, Price>): Forecasts =>
  new Map([...prices].map(([id, price]) => [id, impliedHomeWin(price)]))

/** The share of games that home teams won in the seasons before. */
export const homeConstant = (games: ReadonlyArray<Played>, fitted: Fitted): Forecasts =>
  seasonalForecasts(games, (game) => [edgeOf(game)], fitted)

/** log5 of the plain Pythagorean expectations of the season so far. */
export const pythagoreanLog5 = (games: ReadonlyArray<Played>, fitted: Fitted, parameters: Parameters): Forecasts => {
  const differences = new Map(
    [...walk(games, parameters)].map(({ game, matchup: { home, away } }) => [
      game.id,
      logit(pythagorean(home.season, parameters)) - logit(pythagorean(away.season, parameters)),
    ]),
  )
  return seasonalForecasts(games, (game) => [edgeOf(game), differences.get(game.id)!], fitted)
}

/** Of a baseball Elo: the customary home edge and carry, and a step that fits the margins' multiplier. */
const eloConstants = { k: 2.5, home: 24, carry: 2 / 3, mean: 1500 }

/** The home team's lead in Elo points before each game's day. */
const eloLeads = (games: ReadonlyArray<Played>): ReadonlyMap<string, number> => {
  const { k, home: homeEdge, carry, mean } = eloConstants
  const ratings = new Map<string, number>()
  const leads = new Map<string, number>()
  let season: number | undefined
  const ratingOf = (team: string): number => ratings.get(team) ?? mean
  for (const day of gamedays(games)) {
    if (day[0]!.season !== season) {
      for (const [team, rating] of ratings) ratings.set(team, mean + carry * (rating - mean))
      season = day[0]!.season
    }
    for (const { id, home, away } of day) leads.set(id, ratingOf(home.team) - ratingOf(away.team))
    for (const game of day) {
      const { home, away } = game
      const margin = home.runs - away.runs
      const lead = leads.get(game.id)! + edgeOf(game) * homeEdge
      const expected = 1 / (1 + 10 ** (-lead / 400))
      const clarity = (Math.log(Math.abs(margin) + 1) * 2.2) / (0.001 * Math.sign(margin) * lead + 2.2)
      const gain = k * ((Math.sign(margin) + 1) / 2 - expected) * clarity
      ratings.set(home.team, ratingOf(home.team) + gain)
      ratings.set(away.team, ratingOf(away.team) - gain)
    }
  }
  return leads
}

/** Elo's lead, with what such leads came to in the seasons before. */
export const elo = (games: ReadonlyArray<Played>, fitted: Fitted): Forecasts => {
  const leads = eloLeads(games)
  // In units that keep the coefficient near 1.
  return seasonalForecasts(games, (game) => [edgeOf(game), leads.get(game.id)! / 100], fitted)
}

import type { Hyperparameters } from "../../core/lanes/baseball/parameters.ts"
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

/** The model's coefficients for one season. */
export interface SeasonCoefficients extends Coefficients {
  readonly season: number
  /** Number of games fitted, all of earlier seasons. */
  readonly games: number
}

const none: Coefficients = { home_edge: 0, pythagorean: 0, starter_era: 0 }

/** Fits the model and applies the published, rounded coefficients to every game that a fit serves. */
export const fitModel = (games: ReadonlyArray<Played>, fitted: Fitted, parameters: Hyperparameters) => {
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

/** The market's probability, with the margin removed in proportion. */
export const market = (prices: ReadonlyMap<string, Price>): Forecasts =>
  new Map([...prices].map(([id, price]) => [id, impliedHomeWin(price)]))

/** Share of home wins in earlier seasons. */
export const homeConstant = (games: ReadonlyArray<Played>, fitted: Fitted): Forecasts =>
  seasonalForecasts(games, (game) => [edgeOf(game)], fitted)

/** log5 of the season's plain Pythagorean expectations. */
export const pythagoreanLog5 = (
  games: ReadonlyArray<Played>,
  fitted: Fitted,
  parameters: Hyperparameters,
): Forecasts => {
  const differences = new Map(
    [...walk(games, parameters)].map(({ game, matchup: { home, away } }) => [
      game.id,
      logit(pythagorean(home.season, parameters)) - logit(pythagorean(away.season, parameters)),
    ]),
  )
  return seasonalForecasts(games, (game) => [edgeOf(game), differences.get(game.id)!], fitted)
}

/** Baseball Elo: the usual home edge and carry-over, and a step that suits the margin multiplier. */
const eloConstants = { k: 2.5, home: 24, carry: 2 / 3, mean: 1500 }

/** The home team's lead in Elo points at the start of each game's day. */
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

/** Elo's lead, calibrated on earlier seasons. */
export const elo = (games: ReadonlyArray<Played>, fitted: Fitted): Forecasts => {
  const leads = eloLeads(games)
  // Scaled to keep the coefficient near 1.
  return seasonalForecasts(games, (game) => [edgeOf(game), leads.get(game.id)! / 100], fitted)
}

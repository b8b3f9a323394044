import type { Seasons } from "../../../bench/seasons.ts"
import { logit } from "../../../math/logistic.ts"
import { parameters } from "../parameters.ts"
import { pythagorean } from "../winProbability.ts"
import { impliedHomeWin, type Price } from "./data.ts"
import { edgeOf, type Forecasts, seasonalForecasts } from "./regression.ts"
import { gamedays, type Played, walk } from "./walk.ts"

export const closeName = "market close"

/** The market's probability, with the margin removed in proportion. */
export const market = (prices: ReadonlyMap<string, Price>): Forecasts =>
  new Map([...prices].map(([id, price]) => [id, impliedHomeWin(price)]))

/** Share of home wins in earlier seasons. */
const homeConstant = (games: ReadonlyArray<Played>, fitted: Seasons): Forecasts =>
  seasonalForecasts(games, (game) => [edgeOf(game)], fitted)

/** log5 of the season's plain Pythagorean expectations. */
const pythagoreanLog5 = (games: ReadonlyArray<Played>, fitted: Seasons): Forecasts => {
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
const elo = (games: ReadonlyArray<Played>, fitted: Seasons): Forecasts => {
  const leads = eloLeads(games)
  // Scaled to keep the coefficient near 1.
  return seasonalForecasts(games, (game) => [edgeOf(game), leads.get(game.id)! / 100], fitted)
}

/** Named forecasts. */
export type Contender = readonly [name: string, forecasts: Forecasts]

/**
 * Forecasts from scores alone, each season's fitted on earlier ones.
 *
 * @param fitted the seasons to fit on
 */
export const simple = (games: ReadonlyArray<Played>, fitted: Seasons): ReadonlyArray<Contender> => [
  ["elo", elo(games, fitted)],
  ["pythagorean log5", pythagoreanLog5(games, fitted)],
  ["home constant", homeConstant(games, fitted)],
]

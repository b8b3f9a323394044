import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { findCoefficients, makeStacked, trained } from "../../../../core/lanes/baseball/Model.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { homeWinProbability, listDrivers } from "../../../../core/lanes/baseball/skill/stack.ts"
import { computePythagorean, type Matchup, makeInputs } from "../../../../core/lanes/baseball/winProbability.ts"
import type { Forecaster, Model } from "../../../../core/Model.ts"
import { logit } from "../../../../core/math/logistic.ts"
import { brier, logScore } from "../../../../core/math/score.ts"
import { between } from "../../../../core/record/scoreboard/divisions.ts"
import { addDays } from "../../../../core/time.ts"
import { includes, nameOf, partsOf, type Seasons, startOf } from "../../compare/seasons.ts"
import type { Case, Division, Entrant, Fields, Measure, Task } from "../../compare/Task.ts"
import { type BaseballData, impliedHomeWin, type Price } from "./data.ts"
import { edgeOf, type Forecasts, homeWon, seasonalForecasts } from "./regression.ts"
import { gamedays, type Listed, makeForms, type Played, walk } from "./walk.ts"

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
      logit(computePythagorean(home.season, parameters)) - logit(computePythagorean(away.season, parameters)),
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

/** A game as known before it. The starters are the listed ones; those of game logs are the ones that pitched. */
export type BaseballQuestion = Listed

/** A finished game. */
export type BaseballFact = Played

export const BaseballForecast = Schema.Struct({ winHome: Schema.Number.pipe(Schema.between(0, 1)) })
export type BaseballForecast = typeof BaseballForecast.Type

/** Runs; never a tie. */
export interface BaseballOutcome {
  readonly home: number
  readonly away: number
}

export type BaseballForecaster = Forecaster<BaseballQuestion, BaseballFact, BaseballForecast>
export type BaseballModel = Model<BaseballQuestion, BaseballFact, BaseballForecast>
export type BaseballTask = Task<BaseballQuestion, BaseballFact, BaseballForecast, BaseballOutcome>

/** Test seasons: no hyperparameter was tuned on them, and no coefficient is fitted on the games that it predicts. */
export const test: Seasons = { from: 2019, to: 2021 }
/** Development seasons: constants were chosen on them, so their figures flatter the model. */
export const development: Seasons = { from: 2013, to: 2018 }

/** The name of the served model, without the hash of its constants. */
export const modelName = "line-ups-2024.2"

/** The names of its forecasts without line-ups, and from runs alone, which it was before. */
export const skillsName = "skill-states-2024.2"
export const runsName = "pythagorean-era-2021.1"

const winHomeOf = ({ season }: Listed, matchup: Matchup, { skill, lineUp }: Given): number => {
  const coefficients = findCoefficients(season)
  const inputs = makeInputs(matchup, coefficients, parameters)
  return homeWinProbability(listDrivers(inputs, coefficients, matchup.leagueEra, makeStacked(season, skill, lineUp)))
}

/** The terms of a game besides runs. */
type Given = Pick<Listed, "skill" | "lineUp">

/** A model of the lane, with the forms of the games that it has seen. */
const lane = (name: string, givenOf: (question: Listed) => Given, version?: string): BaseballModel => ({
  name,
  ...ifDefined("version", version),
  start: () => {
    const forms = makeForms(parameters)
    let learned = 0
    return (question, history) => {
      for (const game of history.since(learned)) forms.learn(game)
      learned = history.length
      return { winHome: winHomeOf(question, forms.before(question), givenOf(question)) }
    }
  },
})

/** The model that the lane serves. */
export const served: BaseballModel = lane(modelName, (question) => question, trained.model_version)

/** 1 for the winner named, 0 for the loser; a probability of exactly ½ names half of each. */
export const named = (p: number, won: boolean): number => (p === 0.5 ? 0.5 : Number(p > 0.5 === won))

/** Probabilities are cut off here before their logarithm. */
const clip = 1e-4

type Scoring = Measure<BaseballQuestion, BaseballForecast, BaseballOutcome>

const scored =
  (score: (p: number, won: boolean) => number): Scoring["score"] =>
  ({ winHome }, { home, away }) =>
    score(winHome, home > away)

const measures: ReadonlyArray<Scoring> = [
  { name: "Brier", unit: "", better: "lower", score: scored(brier) },
  { name: "log score", unit: "nats", better: "lower", score: scored((p, won) => logScore(p, won, clip)) },
  { name: "accuracy", unit: "", better: "higher", score: scored(named) },
]

const listed = ({ team, starter }: Played["home"]): Listed["home"] => ({ team, starter })

/** By the difference of the served probability and the close. */
const byEdge: Division<BaseballQuestion, BaseballForecast, BaseballOutcome> =
  (_, forecast) =>
  ({ id }) => {
    const [served, close] = [forecast("served", id), forecast("market", id)]
    return served === undefined || close === undefined
      ? undefined
      : between(Math.abs(served.winHome - close.winHome), [0.02, 0.05, 0.1])
  }

const caseOf = (game: Played, parts: ReadonlyArray<Seasons>): Case<BaseballQuestion, BaseballOutcome> => {
  const { id, season, day, home, away, neutral, skill, lineUp } = game
  return {
    id,
    at: startOf(day),
    cluster: day,
    groups: parts.filter((part) => includes(part, season)).map(nameOf),
    question: {
      ...{ id, season, day, home: listed(home), away: listed(away), neutral },
      ...ifDefined("skill", skill),
      ...ifDefined("lineUp", lineUp),
    },
    outcome: { home: home.runs, away: away.runs },
  }
}

/** The seasons to fit on: all with prices but the first, before which there is none. */
export const fittedSeasons = ({ priced: { from, to } }: Pick<BaseballData, "priced">): Seasons => ({
  from: from + 1,
  to,
})

export const baseballQuestion: Fields<BaseballQuestion> = {
  id: true,
  season: true,
  day: true,
  home: true,
  away: true,
  neutral: true,
  skill: false,
  lineUp: false,
}

/**
 * The winner of games: the served model, the closing market and simpler forecasts on the same games. Each is asked at the
 * start of its day; all games of the days before are known. Without lines of pitchers the served model answers from runs
 * alone, and has that name.
 *
 * @param data games of earlier seasons are only learnt from; seasons after the archive of moneylines have no market
 */
export const baseballTask = (data: BaseballData): BaseballTask => {
  const games = gamedays(data.games).flat()
  const parts = partsOf(
    [test, development],
    games.map(({ season }) => season),
  )
  const cases = games
    .filter((game) => homeWon(game) !== undefined)
    .map((game) => caseOf(game, parts))
    .filter(({ groups }) => groups.length > 0)
  const ofCases = (forecasts: Forecasts): ReadonlyMap<string, BaseballForecast> =>
    new Map(
      cases.flatMap(({ id }) => {
        const winHome = forecasts.get(id)
        return winHome === undefined ? [] : [[id, { winHome }] as const]
      }),
    )
  const entrants: ReadonlyArray<Entrant<BaseballQuestion, BaseballFact, BaseballForecast>> = [
    ...(data.skill === undefined
      ? [{ kind: "served", model: lane(runsName, () => ({}), trained.model_version) } as const]
      : [
          { kind: "served", model: served } as const,
          { kind: "baseline", model: lane(skillsName, ({ skill }) => ifDefined("skill", skill)) } as const,
          { kind: "baseline", model: lane(runsName, () => ({})) } as const,
        ]),
    { kind: "market", name: closeName, forecasts: ofCases(market(data.close)) },
    ...simple(games, fittedSeasons(data)).map(
      ([name, forecasts]) => ({ kind: "baseline", name, forecasts: ofCases(forecasts) }) as const,
    ),
  ]
  return {
    lane: "baseball",
    event: "the home team wins",
    inputs: data.inputs,
    facts: games.map((game) => ({ at: startOf(addDays(game.day, 1)), fact: game })),
    cases,
    groups: parts.map(nameOf),
    entrants,
    measures,
    occurrences: ({ winHome }, { home, away }) => [{ p: winHome, happened: home > away }],
    divisions: { edge: byEdge },
    forecast: BaseballForecast,
    question: baseballQuestion,
    columns: ["winHome"],
  }
}

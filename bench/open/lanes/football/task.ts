import type { Known } from "../../../../core/History.ts"
import {
  groupByGameday,
  hideResult,
  impliedHomeWin,
  type MarketLines,
  type Score,
  toTeamWeekKey,
} from "../../../../core/lanes/football/data/Game.ts"
import { maxMargin } from "../../../../core/lanes/football/model/distributions.ts"
import { type Forecast, type ForecastScores, scoreForecast } from "../../../../core/lanes/football/model/score.ts"
import { leastSquares } from "../../../../core/math/leastSquares.ts"
import { mean } from "../../../../core/math/mean.ts"
import * as normal from "../../../../core/math/normal.ts"
import type { Pit } from "../../../../core/math/pit.ts"
import { logScore } from "../../../../core/math/score.ts"
import { between } from "../../../../core/record/scoreboard/divisions.ts"
import { addDays } from "../../../../core/time.ts"
import { includes, nameOf, partsOf, type Seasons, startOf } from "../../compare/seasons.ts"
import type { Case, Division, Entrant, Fields, Measure, Occurrence, Task } from "../../compare/Task.ts"
import type { FootballData, Played } from "./data.ts"
import { elo, type FootballFact, FootballForecast, type FootballQuestion, served } from "./models.ts"

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
  for (const day of groupByGameday(games) as ReadonlyArray<ReadonlyArray<Played>>) {
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

export type FootballTask = Task<FootballQuestion, FootballFact, FootballForecast, Score>

/** The seasons of the published figures. All constants were chosen on seasons before the first period. */
export const holdout: Seasons = { from: 2024, to: 2025 }
export const development: ReadonlyArray<Seasons> = [
  { from: 2006, to: 2023 },
  { from: 2015, to: 2023 },
]

type Scoring = Measure<FootballQuestion, FootballForecast, Score>

const scored =
  (of: (scored: ForecastScores) => number | undefined): Scoring["score"] =>
  (forecast, outcome) =>
    of(scoreForecast(forecast, outcome))

/** The probability of an outcome is cut off here before its logarithm. */
const clip = 1e-9

const logOfMargin: Scoring["score"] = ({ margins }, { home, away }) => {
  const margin = Math.max(-maxMargin, Math.min(maxMargin, home - away))
  return margins === undefined ? undefined : logScore(margins[margin + maxMargin]!, true, clip)
}

/** The law of the margin, whose ends hold the wider ones. */
const pitOfMargin = (margins: ReadonlyArray<number>, margin: number): Pit => {
  const place = Math.max(-maxMargin, Math.min(maxMargin, margin)) + maxMargin
  const low = Math.min(
    1,
    margins.slice(0, place).reduce((sum, p) => sum + p, 0),
  )
  return { low, high: Math.min(1, low + margins[place]!) }
}

/** By the points between the served margin and the close. */
const byEdge: Division<FootballQuestion, FootballForecast, Score> =
  (_, forecast) =>
  ({ id }) => {
    const [served, close] = [forecast("served", id), forecast("market", id)]
    if (served === undefined || close === undefined) return undefined
    return between(Math.abs(served.homeMargin - close.homeMargin), [1, 2, 3, 5], " points")
  }

const measures: ReadonlyArray<Scoring> = [
  { name: "margin MAE", unit: "points", better: "lower", score: scored(({ marginError }) => Math.abs(marginError)) },
  { name: "Brier of the home win", unit: "", better: "lower", score: scored(({ brier }) => brier) },
  {
    name: "total MAE",
    unit: "points",
    better: "lower",
    score: scored(({ totalError }) => (totalError === undefined ? undefined : Math.abs(totalError))),
  },
  { name: "straight-up accuracy", unit: "", better: "higher", score: scored(({ winner }) => winner) },
  { name: "log score of the margin", unit: "nats", better: "lower", score: logOfMargin },
]

const occurrences = ({ winHome }: FootballForecast, { home, away }: Score): ReadonlyArray<Occurrence> =>
  winHome === undefined || home === away ? [] : [{ p: winHome, happened: home > away }]

const factOf = (game: Played, weeks: FootballData["weeks"]): Known<FootballFact> => ({
  at: startOf(addDays(game.gameday, 1)),
  fact: {
    game,
    weeks: [game.home, game.away].flatMap(({ team }) => weeks.get(toTeamWeekKey(game.season, game.week, team)) ?? []),
  },
})

const caseOf = (game: Played, parts: ReadonlyArray<Seasons>): Case<FootballQuestion, Score> => ({
  id: game.id,
  at: startOf(game.gameday),
  // The games of a week share what the ratings know, and the mistakes in it.
  cluster: `${game.season}/${game.week}`,
  groups: parts.filter((part) => includes(part, game.season)).map(nameOf),
  question: hideResult(game),
  outcome: game.score,
})

export const footballQuestion: Fields<FootballQuestion> = {
  id: true,
  season: true,
  type: true,
  week: true,
  gameday: true,
  kickoff: false,
  home: true,
  away: true,
  neutral: true,
  division: true,
  roof: false,
  surface: false,
  stadium: false,
}

/**
 * The margin, the total and the winner of games: the served model, the closing market and simpler forecasts on the same
 * games. Each is asked at the start of its gameday; all games of the days before are known, with the expected points of
 * their offenses.
 *
 * @param data games of earlier seasons are only learnt from
 */
export const footballTask = ({ games: given, lines, weeks, inputs }: FootballData): FootballTask => {
  const games = groupByGameday(given).flat() as ReadonlyArray<Played>
  const parts = partsOf(
    [holdout, ...development],
    games.map(({ season }) => season),
  )
  const cases = games.map((game) => caseOf(game, parts)).filter(({ groups }) => groups.length > 0)
  const ofCases = (forecasts: Forecasts): Forecasts =>
    new Map(
      cases.flatMap(({ id }) => {
        const forecast = forecasts.get(id)
        return forecast === undefined ? [] : [[id, forecast] as const]
      }),
    )
  const entrants: ReadonlyArray<Entrant<FootballQuestion, FootballFact, FootballForecast>> = [
    {
      kind: "served",
      model: weeks.size === 0 ? { ...served, name: `${served.name} without expected points` } : served,
    },
    { kind: "market", name: closeName, forecasts: ofCases(market(lines)) },
    { kind: "baseline", model: elo },
    ...simple(games).map(([name, forecasts]) => ({ kind: "baseline", name, forecasts: ofCases(forecasts) }) as const),
  ]
  return {
    lane: "football",
    event: "the home team wins",
    inputs,
    facts: games.map((game) => factOf(game, weeks)),
    cases,
    groups: parts.map(nameOf),
    entrants,
    measures,
    occurrences,
    pit: ({ margins }, { home, away }) => margins && pitOfMargin(margins, home - away),
    divisions: { edge: byEdge },
    forecast: FootballForecast,
    question: footballQuestion,
    columns: ["homeMargin", "total", "winHome"],
  }
}

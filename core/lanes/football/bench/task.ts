import type { Known } from "../../../bench/History.ts"
import { includes, nameOf, partsOf, type Seasons, startOf } from "../../../bench/seasons.ts"
import type { Case, Entrant, Measure, Occurrence, Task } from "../../../bench/Task.ts"
import { logScore } from "../../../math/score.ts"
import { addDays } from "../../../time.ts"
import { beforehand, gamedays, type Score } from "../data/Game.ts"
import { teamWeekKey } from "../data/TeamWeek.ts"
import { widest } from "../model/distributions.ts"
import { type Scored, scoreOf } from "../model/score.ts"
import { closeName, type Forecasts, market, simple } from "./baselines.ts"
import type { FootballData, Played } from "./data.ts"
import { elo, type FootballFact, FootballForecast, type FootballQuestion, served } from "./models.ts"

export type FootballTask = Task<FootballQuestion, FootballFact, FootballForecast, Score>

/** The seasons of the published figures. All constants were chosen on seasons before the first period. */
export const holdout: Seasons = { from: 2024, to: 2025 }
export const development: ReadonlyArray<Seasons> = [
  { from: 2006, to: 2023 },
  { from: 2015, to: 2023 },
]

type Scoring = Measure<FootballQuestion, FootballForecast, Score>

const scored =
  (of: (scored: Scored) => number | undefined): Scoring["score"] =>
  (forecast, outcome) =>
    of(scoreOf(forecast, outcome))

/** The probability of an outcome is cut off here before its logarithm. */
const clip = 1e-9

const logOfMargin: Scoring["score"] = ({ margins }, { home, away }) => {
  const margin = Math.max(-widest, Math.min(widest, home - away))
  return margins === undefined ? undefined : logScore(margins[margin + widest]!, true, clip)
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
    weeks: [game.home, game.away].flatMap(({ team }) => weeks.get(teamWeekKey(game.season, game.week, team)) ?? []),
  },
})

const caseOf = (game: Played, parts: ReadonlyArray<Seasons>): Case<FootballQuestion, Score> => ({
  id: game.id,
  at: startOf(game.gameday),
  // The games of a week share what the ratings know, and the mistakes in it.
  cluster: `${game.season}/${game.week}`,
  groups: parts.filter((part) => includes(part, game.season)).map(nameOf),
  question: beforehand(game),
  outcome: game.score,
})

/**
 * The margin, the total and the winner of games: the served model, the closing market and simpler forecasts on the same
 * games. Each is asked at the start of its gameday; all games of the days before are known, with the expected points of
 * their offenses.
 *
 * @param data games of earlier seasons are only learnt from
 */
export const footballTask = ({ games: given, lines, weeks, inputs }: FootballData): FootballTask => {
  const games = gamedays(given).flat() as ReadonlyArray<Played>
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
    forecast: FootballForecast,
    columns: ["homeMargin", "total", "winHome"],
  }
}

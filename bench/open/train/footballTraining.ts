import { createHash } from "node:crypto"
import { ifDefined } from "../../../core/ifDefined.ts"
import { type Game, hideResult, impliedHomeWin, type Side } from "../../../core/lanes/football/data/Game.ts"
import { marginCovariates, totalCovariates } from "../../../core/lanes/football/model/covariates.ts"
import { type Hyperparameters, parameters } from "../../../core/lanes/football/model/parameters.ts"
import { makeInitialState, type RatingState } from "../../../core/lanes/football/model/State.ts"
import type { Forecast } from "../../../core/lanes/football/model/score.ts"
import * as slots from "../../../core/lanes/football/model/stateIndex.ts"
import type { ClusteredEstimate } from "../../../core/math/clusters.ts"
import { reliability } from "../../../core/math/reliability.ts"
import type { Panel } from "../backtest/diagram.ts"
import { includes, nameOf, type Seasons } from "../compare/seasons.ts"
import type { FootballData, Played } from "../lanes/football/data.ts"
import { elo, eloOf, modelName } from "../lanes/football/models.ts"
import { closeName, development, type Forecasts, holdout, market, simple } from "../lanes/football/task.ts"
import { laddersOf } from "./footballLadders.ts"
import { type AgainstClose, againstClose, breakeven, calibrationOf, type Row, rowOf } from "./footballScores.ts"
import { type Fit, fitModel, type PredictedGame, type WalkOptions, walkForward } from "./footballWalk.ts"

const within = (games: ReadonlyArray<Played>, seasons: Seasons): ReadonlyArray<Played> =>
  games.filter(({ season }) => includes(seasons, season))

const forecastsOf = (
  { predictions }: Pick<Fit, "predictions">,
  of: (prediction: PredictedGame) => Forecast = ({ line }) => ({
    homeMargin: line.homeMargin,
    total: line.total,
    winHome: line.winProbHome,
  }),
): Forecasts => new Map(predictions.map((prediction) => [prediction.game.id, of(prediction)]))

/** A game before its starters are announced. */
const withoutName = ({ quarterback: _id, quarterbackName: _name, ...side }: Side): Side => side
const unannounced = (game: Game): Game => {
  const before = hideResult(game)
  return { ...before, home: withoutName(before.home), away: withoutName(before.away) }
}

const lastStartersName = "last starters"

/** Ablations: the model with less or more information, each with a walk and blends of its own. */
const ablations: ReadonlyArray<readonly [name: string, change: Partial<Omit<WalkOptions, "blendFor">>]> = [
  ["without expected points", { weeks: new Map() }],
  ["wind known", { known: (game) => game }],
  ["without quarterbacks", { parameters: withoutQuarterbacks(parameters) }],
]

/**
 * The model before the starters are announced, as it is served then: with the blends that were fitted on known starters.
 * Blends fitted on last starters would flatter it by .01 to .03 points of the spread.
 */
const unannouncedFit = ({ links }: Fit, games: ReadonlyArray<Played>, weeks: FootballData["weeks"]) => {
  const bySeason = new Map(links.map((link) => [link.season, link]))
  const walk = walkForward(makeInitialState(parameters), games, {
    parameters,
    weeks,
    blendFor: (season) => bySeason.get(season)!,
    known: unannounced,
  })
  return { predictions: [...walk].flatMap(({ predictions }) => predictions) }
}

function withoutQuarterbacks(all: Hyperparameters): Hyperparameters {
  const none = { mean: 0, variance: 0 }
  return {
    ...all,
    season: { ...all.season, quarterback: { carry: 1, variance: 0 } },
    quarterback: {
      first: none,
      newcomer: { ...none, weekOne: 0 },
      second: { gain: 0, variance: 1 },
      absent: { ...all.quarterback.absent, variance: 0 },
    },
  }
}

/**
 * The model with less or more information, beside which it is published.
 *
 * @param main its own fit
 */
export const variants = (
  data: FootballData,
  main: Fit = fitModel(data.games, { parameters, weeks: data.weeks }),
): ReadonlyArray<readonly [name: string, forecasts: Forecasts]> => {
  const options = { parameters, weeks: data.weeks }
  return [
    ["median of margins", forecastsOf(main, ({ line }) => ({ homeMargin: line.medianMargin }))],
    ["filter alone", forecastsOf(main, ({ line }) => ({ homeMargin: line.members.kalman }))],
    ...ablations.map(
      ([title, change]) => [title, forecastsOf(fitModel(data.games, { ...options, ...change }))] as const,
    ),
    [lastStartersName, forecastsOf(unannouncedFit(main, data.games, data.weeks))],
  ]
}

/** The filter's learned effects, points, with standard deviations. */
const effectsOf = ({ mean, covariance }: RatingState) => {
  const at = (slot: number, times = 1) => ({
    points: times * mean[slot]!,
    sd: times * Math.sqrt(covariance[slot * mean.length + slot]!),
  })
  return {
    points_per_team: at(slots.league),
    home_edge: at(slots.home, 2),
    margin: Object.fromEntries(marginCovariates.map((effect, k) => [effect, at(slots.marginEffect(k))])),
    total: Object.fromEntries(totalCovariates.map((effect, k) => [effect, at(slots.totalEffect(k))])),
  }
}

const rowNamed = (rows: ReadonlyArray<Row>, title: string): Row => rows.find((row) => row.name === title)!

/** The published track record. */
const published = (data: FootballData, rows: ReadonlyArray<Row>) => {
  const games = within(data.games, holdout)
  const model = rowNamed(rows, modelName)
  const close = rowNamed(rows, closeName)
  const last = rowNamed(rows, lastStartersName)
  const priced = games.filter(({ id }) => impliedHomeWin(data.lines.get(id) ?? {}) !== undefined)
  return {
    games: games.length,
    spread: {
      mae_model: model.mae.value,
      mae_market: close.mae.value,
      su_accuracy_model: model.su_accuracy.value,
      su_accuracy_market: close.su_accuracy.value,
      ats_breakeven: breakeven,
    },
    total: { mae_model: model.total_mae!.value, mae_market: close.total_mae!.value },
    moneyline: {
      games_priced: priced.length,
      brier_model_wp: model.brier!.value,
      brier_market_devig: close.brier!.value,
    },
    last_starters: {
      spread: { mae_model: last.mae.value, su_accuracy_model: last.su_accuracy.value },
      total: { mae_model: last.total_mae!.value },
      moneyline: { brier_model_wp: last.brier!.value },
    },
    ties_excluded: games.filter(({ score }) => score.home === score.away).length,
  }
}

/** The record against the spread, by period: the worth of a point of edge, and bets by its size. */
const againstTheSpread = (seasons: Seasons, { slope, by_edge }: AgainstClose) => ({
  ...{ from: seasons.from, to: seasons.to, development: seasons !== holdout },
  worth_of_a_point: { estimate: slope.value, ...ends(slope) },
  by_edge: by_edge.map(({ from, to, hit, ...record }) => ({
    from_points: from,
    ...ifDefined("to_points", to),
    ...record,
    share_won: hit.value,
    ...ends(hit),
  })),
})

const ends = ({ low, high }: ClusteredEstimate) => (Number.isNaN(low) ? {} : { low, high })

const newest = (games: FootballData["games"]): string =>
  games
    .map(({ gameday }) => gameday)
    .sort()
    .at(-1) ?? ""

export type Trained = ReturnType<typeof train>

/**
 * Fits the model on all games and measures it. Each prediction uses data from before the game's day, as in service, and
 * a link fitted on earlier seasons. The data name each game's actual starters; the row "last starters" shows the
 * accuracy before they are announced.
 *
 * @param trainedAt YYYY-MM-DD; default the day of the newest game, so that equal inputs give equal bytes
 */
export const train = (data: FootballData, trainedAt: string = newest(data.games)) => {
  const options = { parameters, weeks: data.weeks }
  const main = fitModel(data.games, options)
  const close = market(data.lines)
  const model = forecastsOf(main)
  const byElo = forecastsOf(main, ({ line }) => eloOf(line, parameters))
  const inputs = data.inputs.map(({ name, sha256 }) => ({ name, sha256 }))
  const contenders: ReadonlyArray<readonly [string, Forecasts]> = [
    [closeName, close],
    [modelName, model],
    ...variants(data, main),
    [elo.name, byElo],
    ...simple(data.games),
  ]
  const all = [holdout, ...development]
  const periods = all.map((period) => {
    const games = within(data.games, period)
    if (games.length === 0) throw new Error(`No results in the seasons ${nameOf(period)}.`)
    const ids = new Set(games.map(({ id }) => id))
    const predictions = main.predictions.filter(({ game }) => ids.has(game.id))
    return {
      seasons: period,
      rows: contenders.map(([title, forecasts]) => rowOf(title, games, forecasts, close)),
      paired_to_elo: rowOf(modelName, games, model, byElo).mae_close,
      calibration: calibrationOf(predictions),
      against_close: againstClose(predictions, data.lines),
      ladders: laddersOf(predictions, main.links, data.lines),
    }
  })
  const content = { parameters, links: main.links }
  const hash = createHash("sha256")
    .update(JSON.stringify([content, inputs]))
    .digest("hex")
    .slice(0, 8)
  return {
    model_version: `${modelName}-${hash}`,
    trained_at: trainedAt,
    games: data.games.length,
    inputs,
    ...content,
    effects: effectsOf(main.state),
    backtest_holdout: published(data, periods[0]!.rows),
    against_the_spread: periods.map(({ seasons, against_close }) => againstTheSpread(seasons, against_close)),
    backtest: periods,
  }
}

/** JSON with number lists and number-only objects on one line. */
export const print = (trained: Trained): string =>
  `${JSON.stringify(trained, undefined, 1).replace(/[[{]\s+[^[\]{}]*[\]}]/g, (flat) =>
    /: "/.test(flat) ? flat : flat.replace(/\s+/g, " ").replace(/^([[{]) | ([\]}])$/g, "$1$2"),
  )}\n`

/** The panels of a reliability diagram: model and closing market, on the games with a price. */
export const panelsOf = (data: FootballData): ReadonlyArray<Panel> => {
  const main = fitModel(data.games, { parameters, weeks: data.weeks })
  const [model, close] = [forecastsOf(main), market(data.lines)]
  return [holdout, ...development].map((period) => {
    const games = within(data.games, period).filter(
      ({ id, score }) => close.get(id)?.winHome !== undefined && score.home !== score.away,
    )
    const scores = (forecasts: Forecasts) => {
      const table = reliability(10)
      for (const { id, score } of games) table.add(forecasts.get(id)!.winHome!, score.home > score.away)
      return { ece: table.error(), reliability: table.bins() }
    }
    return {
      title: nameOf(period),
      cases: `${games.length} games`,
      baseline: scores(close),
      model: scores(model),
    }
  })
}

import * as Schema from "effect/Schema"
import { type Game, groupByGameday, indexTeamWeeks, type TeamWeek } from "../../../../core/lanes/football/data/Game.ts"
import { maxMargin } from "../../../../core/lanes/football/model/distributions.ts"
import { toEloWin } from "../../../../core/lanes/football/model/elo.ts"
import type { FairLine } from "../../../../core/lanes/football/model/fairLine.ts"
import { initialState, learn, predict, trained } from "../../../../core/lanes/football/model/Model.ts"
import { type Hyperparameters, parameters } from "../../../../core/lanes/football/model/parameters.ts"
import type { Forecast } from "../../../../core/lanes/football/model/score.ts"
import type { Forecaster, Model } from "../../../../core/Model.ts"
import type { Played } from "./data.ts"

/** A game as known before it: without score and weather. The starters are those listed after it. */
export type FootballQuestion = Omit<Game, "score" | "temperature" | "wind">

/** A final, with the rows of expected points that exist of its offenses. */
export interface FootballFact {
  readonly game: Played
  readonly weeks: ReadonlyArray<TeamWeek>
}

const probability = Schema.Number.pipe(Schema.between(0, 1))

/** How far a law's sum may be from 1. */
const rounding = 1e-6

const Law = Schema.Array(probability).pipe(
  Schema.itemsCount(2 * maxMargin + 1),
  Schema.filter((all) => {
    const sum = all.reduce((total, p) => total + p, 0)
    return Math.abs(sum - 1) <= rounding || `The probabilities of the margins sum to ${sum}, not to 1.`
  }),
)

/** An expected margin, home minus away, optionally with a total, a win probability and the law of the margin. */
export const FootballForecast = Schema.Struct({
  homeMargin: Schema.Finite,
  total: Schema.optional(Schema.Finite.pipe(Schema.nonNegative())),
  winHome: Schema.optional(probability),
  /** P(margin = k) for k from −60 to 60; the ends include wider margins. */
  margins: Schema.optional(Law),
})
export type FootballForecast = typeof FootballForecast.Type

export type FootballForecaster = Forecaster<FootballQuestion, FootballFact, FootballForecast>
export type FootballModel = Model<FootballQuestion, FootballFact, FootballForecast>

/** The name of the served model, without the hash of its constants. */
export const modelName = "kf-epa-elo-2026.1"

/** Elo alone: its lead in points, and its win probability. */
export const eloOf = ({ members }: FairLine, { elo: { perPoint } }: Hyperparameters): Forecast => ({
  homeMargin: members.elo,
  winHome: toEloWin(members.elo * perPoint),
})

/** A model of the lane's state, which learns each day's finals before it answers a question of a later day. */
const learning = (forecastOf: (line: FairLine) => FootballForecast): FootballModel["start"] => {
  return () => {
    let state = initialState
    let learned = 0
    return (question, history) => {
      const finals = history.since(learned)
      learned = history.length
      const weeks = indexTeamWeeks(finals.flatMap((final) => final.weeks))
      for (const day of groupByGameday(finals.map(({ game }) => game))) state = learn(state, day, weeks)
      return forecastOf(predict(state, question))
    }
  }
}

/** A line of the served form as a forecast of the bench. */
export const forecastOf = ({ homeMargin, total, winProbHome, margins }: FairLine): FootballForecast => ({
  homeMargin,
  total,
  winHome: winProbHome,
  margins: Array.from(margins.pmf),
})

/** The model that the lane serves. */
export const served: FootballModel = { name: modelName, version: trained.model_version, start: learning(forecastOf) }

export const elo: FootballModel = { name: "elo", start: learning((line) => eloOf(line, parameters)) }

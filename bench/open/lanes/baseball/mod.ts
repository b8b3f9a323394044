/**
 * Winners of MLB games: the task, its questions and forecasts, and the served model.
 *
 * @module
 */

export type { BaseballData } from "./data.ts"
export {
  type BaseballFact,
  BaseballForecast,
  type BaseballForecaster,
  type BaseballModel,
  type BaseballOutcome,
  type BaseballQuestion,
  type BaseballTask,
  baseballTask,
  served,
} from "./task.ts"

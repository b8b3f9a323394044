/**
 * Margins, totals and winners of NFL games: the task, its questions and forecasts, and the served model.
 *
 * @module
 */

export type { FootballData } from "./data.ts"
export {
  type FootballFact,
  FootballForecast,
  type FootballForecaster,
  type FootballModel,
  type FootballQuestion,
  served,
} from "./models.ts"
export { type FootballTask, footballTask } from "./task.ts"

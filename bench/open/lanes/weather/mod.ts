/**
 * Daily highs and lows: the task, its questions and forecasts, and the served model.
 *
 * @module
 */

export { type LeftOut, type Place, type WeatherData, type WeatherRow, weatherFeed } from "./data.ts"
export { WeatherForecast } from "./laws.ts"
export {
  climatology,
  lastErrors,
  prior,
  recalibrated,
  type WeatherFact,
  type WeatherForecaster,
  type WeatherModel,
  type WeatherQuestion,
} from "./models.ts"
export { type WeatherTask, weatherTask } from "./task.ts"

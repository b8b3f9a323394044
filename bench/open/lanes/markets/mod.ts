/**
 * Results of contracts: the task, its questions and forecasts, and the served model.
 *
 * @module
 */

export {
  type MarketsData,
  type MarketsFact,
  MarketsForecast,
  type MarketsForecaster,
  type MarketsModel,
  type MarketsQuestion,
  type MarketsRow,
  type MarketsTask,
  marketsTask,
  settledFeed,
} from "./task.ts"

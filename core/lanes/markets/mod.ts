/**
 * The markets lane: its endpoints, the service over its ports, and the ports; and its task of the open bench.
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
} from "./bench.ts"
export { Challenge, type Challengers } from "./challenge/Challenge.ts"
export { endpoints, type MarketsMethods } from "./endpoints.ts"
export * as follow from "./follow.ts"
export { markets as definition } from "./lane.ts"
export { Markets, type MarketsPorts } from "./Markets.ts"
export { layerModels, layerSignalCalls, layerSourceResults } from "./overLanes.ts"
export * from "./ports.ts"
export { layer as layerRecorder, layerAlone as layerRecorderAlone } from "./recorder.ts"

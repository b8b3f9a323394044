/**
 * The markets lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */
export { Challenge, type Challengers } from "./challenge/Challenge.ts"
export { endpoints } from "./endpoints.ts"
export { Markets, type MarketsPorts } from "./Markets.ts"
export { layerModels, layerSignalCalls, layerSourceResults } from "./overLanes.ts"
export * from "./ports.ts"
export { layer as layerRecorder, layerAlone as layerRecorderAlone } from "./recorder.ts"
export * as follow from "./rounds.ts"

/**
 * The markets lane: its endpoints, ports and service, the layers that price and record contracts, and the rounds that
 * follow venues.
 *
 * @module
 */
export { Challenge, type Challengers } from "./challenge/Challenge.ts"
export { endpoints } from "./endpoints.ts"
export { Markets, type MarketsPorts } from "./Markets.ts"
export { layerModels, layerSignalCalls, layerSourceResults } from "./overLanes.ts"
export * from "./ports.ts"
export { layer as layerRecorder } from "./recorder.ts"
export * as follow from "./rounds.ts"

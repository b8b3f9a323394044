/**
 * The baseball lane: its endpoints, the service over its ports, and the ports; and its task of the open bench.
 *
 * @module
 */

export { Baseball, type BaseballPorts } from "./Baseball.ts"
export type { BaseballData } from "./bench/data.ts"
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
} from "./bench/task.ts"
export { pricing } from "./contracts.ts"
export { endpoints } from "./endpoints.ts"
export * from "./ports.ts"

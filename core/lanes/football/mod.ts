/**
 * The football lane: its endpoints, the service over its ports, and the ports; and its task of the open bench.
 *
 * @module
 */

export type { FootballData } from "./bench/data.ts"
export {
  type FootballFact,
  FootballForecast,
  type FootballForecaster,
  type FootballModel,
  type FootballQuestion,
  served,
} from "./bench/models.ts"
export { type FootballTask, footballTask } from "./bench/task.ts"
export { pricing } from "./contracts.ts"
export { FootballArchive } from "./data/archive.ts"
export { endpoints, type FootballMethods } from "./endpoints.ts"
export { Football, type FootballPorts } from "./Football.ts"
export { football as definition } from "./lane.ts"
export * from "./ports.ts"

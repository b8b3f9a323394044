/**
 * The football lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */

export { pricing } from "./contracts.ts"
export { FootballArchive } from "./data/archive.ts"
export { endpoints } from "./endpoints.ts"
export { Football, type FootballPorts } from "./Football.ts"
export * from "./ports.ts"

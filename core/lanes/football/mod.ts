/**
 * The football lane: its endpoints, ports and service, and the pricing of contracts.
 *
 * @module
 */

export { pricing } from "./contracts.ts"
export { FootballArchive } from "./data/archive.ts"
export { endpoints } from "./endpoints.ts"
export { Football, type FootballPorts } from "./Football.ts"
export * from "./ports.ts"

/**
 * The baseball lane: its endpoints, ports and service, and the pricing of contracts.
 *
 * @module
 */

export { Baseball, type BaseballPorts } from "./Baseball.ts"
export { pricing } from "./contracts.ts"
export { endpoints } from "./endpoints.ts"
export * from "./ports.ts"

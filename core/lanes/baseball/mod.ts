/**
 * The baseball lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */

export { Baseball, type BaseballPorts } from "./Baseball.ts"
export { pricing } from "./contracts.ts"
export { endpoints } from "./endpoints.ts"
export * from "./ports.ts"

/**
 * The baseball lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */

export { Baseball, type BaseballPorts } from "./Baseball.ts"
export { pricing } from "./contracts.ts"
export { type BaseballMethods, endpoints } from "./endpoints.ts"
export { baseball as definition } from "./lane.ts"
export * from "./ports.ts"

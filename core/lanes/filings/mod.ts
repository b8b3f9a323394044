/**
 * The filings lane: its endpoints, the service over its ports, and the ports.
 *
 * @module
 */
export { endpoints, type FilingsMethods } from "./endpoints.ts"
export { Filings } from "./Filings.ts"
export { filings as definition } from "./lane.ts"
export * from "./ports.ts"

/**
 * Generated data of the football lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./football.ts"

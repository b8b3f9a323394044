/**
 * Generated data of the markets lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./markets.ts"

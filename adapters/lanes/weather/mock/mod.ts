/**
 * Generated data of the weather lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./reports.ts"

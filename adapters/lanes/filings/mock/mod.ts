/**
 * Generated data of the filings lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./filings.ts"

/**
 * Generated data of the crypto lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./tape.ts"

/**
 * Generated data of the baseball lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
export { layer as mock } from "./baseball.ts"

/**
 * The filings lane's module, and its providers one by one.
 *
 * @module
 */
export { layer as mock } from "./mock.ts"
export { filings as module } from "./module.ts"

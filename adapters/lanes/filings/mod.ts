/**
 * The filings lane's module, and its providers one by one.
 *
 * @module
 */
export { mock } from "./mock/mod.ts"
export { filings as module } from "./module.ts"

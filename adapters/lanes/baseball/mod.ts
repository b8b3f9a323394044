/**
 * The baseball lane's module, and its providers one by one.
 *
 * @module
 */

export { layer as mlb } from "./mlb/layer.ts"
export { layer as mock } from "./mock/baseball.ts"
export { baseball as module } from "./module.ts"

/**
 * The baseball lane's module, and its providers one by one.
 *
 * @module
 */

export { layer as layerMlb } from "./mlb/layer.ts"
export { mock } from "./mock/mod.ts"
export { baseball as module } from "./module.ts"

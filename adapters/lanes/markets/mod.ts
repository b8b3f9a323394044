/**
 * The markets lane's module, and its providers one by one.
 *
 * @module
 */

export { layerScoreboard, layerSettledRows } from "../../store/record/Settled.ts"
export { make as makeKalshi } from "./kalshi/venue.ts"
export { mock } from "./mock/mod.ts"
export { markets as module } from "./module.ts"
export { make as makePolymarket } from "./polymarket/venue.ts"
export { layerOpenContracts } from "./store/Contracts.ts"

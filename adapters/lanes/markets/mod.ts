/**
 * The markets lane's module, and its providers one by one.
 *
 * @module
 */

export { layerSettledRows, layerScoreboard } from "../../store/record/Settled.ts"
export * as kalshi from "./kalshi/venue.ts"
export { mock } from "./mock/mod.ts"
export { markets as module } from "./module.ts"
export * as polymarket from "./polymarket/venue.ts"
export { layerOpenContracts } from "./store/Contracts.ts"

/**
 * The football lane's module, and its providers one by one.
 *
 * @module
 */
export { mock } from "./mock/mod.ts"
export { football as module } from "./module.ts"
export { layer as layerArchive } from "./store/Archive.ts"
export { layer as layerGames } from "./store/Games.ts"
export { layer as layerQuarterbacks } from "./store/Quarterbacks.ts"
export { layerInjuries, layerTop100 } from "./store/Reports.ts"

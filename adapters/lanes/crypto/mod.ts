/**
 * The crypto lane's module, and its providers one by one.
 *
 * @module
 */

export * as coinbase from "./coinbase.ts"
export * as kraken from "./kraken.ts"
export { mock } from "./mock/mod.ts"
export { crypto as module } from "./module.ts"
export { layerTape } from "./store/Candles.ts"

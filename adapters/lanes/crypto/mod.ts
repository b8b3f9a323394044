/**
 * The crypto lane's module, and its providers one by one.
 *
 * @module
 */

export { make as makeCoinbase } from "./coinbase.ts"
export { make as makeKraken } from "./kraken.ts"
export { mock } from "./mock/mod.ts"
export { crypto as module } from "./module.ts"
export { layerTape } from "./store/Candles.ts"

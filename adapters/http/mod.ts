/**
 * The HTTP adapter: the catalogue on a socket.
 *
 * @module
 */
export { make as makeAdmin, type Options as AdminOptions } from "./admin.ts"
export type { Figures } from "./discovery/figures.ts"
export type { Options as DiscoveryOptions } from "./discovery/pages.ts"
export type { Exchange, Limits, Mount } from "./listener.ts"
export { make as makeProof } from "./proof.ts"
export { type Bucket, type Description, type Handler, ofMount, type Route } from "./route.ts"
export { HttpAddress, ListenError, layer, type Options } from "./server.ts"

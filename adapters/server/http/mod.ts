/**
 * The HTTP adapter: the catalogue on a socket.
 *
 * @module
 */

export type { Figures } from "../../describe/figures.ts"
export type { Options as DiscoveryOptions } from "../../web/docs/pages.ts"
export { make as makeProof } from "../../web/record/proof.ts"
export { make as makeAdmin, type Options as AdminOptions } from "./admin.ts"
export type { Exchange, Limits, Mount } from "./listener.ts"
export { type Bucket, type Description, type Handler, ofMount, type Route } from "./route.ts"
export { HttpAddress, ListenError, layer, type Options } from "./server.ts"

/**
 * The HTTP adapter: the catalogue with its documents and pages on a socket.
 *
 * @module
 */
export type { Figures } from "../describe/figures.ts"
export { make as makeAdmin, type Options as AdminOptions } from "../server/http/admin.ts"
export type { Exchange, Limits, Mount } from "../server/http/listener.ts"
export { type Bucket, type Description, type Handler, ofMount, type Route } from "../server/http/route.ts"
export { HttpAddress, ListenError } from "../server/http/server.ts"
export type { Options as DiscoveryOptions } from "./docs/pages.ts"
export { layer, type Options } from "./layer.ts"
export { make as makeProof } from "./record/proof.ts"

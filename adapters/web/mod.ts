/**
 * The HTTP adapter: the catalogue with its documents and pages, on a socket of its own or in a server of yours.
 *
 * @module
 */
export type { Figures } from "../describe/figures.ts"
export { make as makeAdmin, type Options as AdminOptions } from "../server/http/admin.ts"
export { make as makeAlertEvents } from "../server/http/alertEvents.ts"
export type { Handler as RequestHandler, Peer } from "../server/http/handler.ts"
export type { Readiness, Ready } from "../server/http/health.ts"
export type { Exchange, Limits, Mount } from "../server/http/listener.ts"
export { type Bucket, type Description, fromMount, type Handler, type Route } from "../server/http/route.ts"
export { HttpAddress, ListenError, type Needs } from "../server/http/server.ts"
export type { Options as DiscoveryOptions } from "./docs/pages.ts"
export { type ListenerOptions, layer, makeHandler, makeListener, type Options } from "./layer.ts"
export { make as makeProof } from "./record/proof.ts"

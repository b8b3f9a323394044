/**
 * The HTTP adapter: the catalogue with its documents and pages, on a socket of its own or in a server of yours.
 *
 * @module
 */
export type { Figures } from "../describe/figures.ts"
export { make as makeAlertEvents } from "../server/http/alertEvents.ts"
export type { Handler, Peer } from "../server/http/handler.ts"
export type { Readiness, Ready } from "../server/http/health.ts"
export type { Exchange, Limits as ListenerLimits, Mount } from "../server/http/listener.ts"
export {
  fromMount,
  type Route,
  type RouteDescription,
  type RouteHandler,
  type RouteLimit,
} from "../server/http/route.ts"
export { HttpAddress, type Limits as ServerLimits, ListenError, type Needs } from "../server/http/server.ts"
export type { Options as DiscoveryOptions } from "./docs/pages.ts"
export {
  type ListenerOptions,
  layer as layerServer,
  makeHandler,
  makeListener,
  type Options as ServerOptions,
} from "./layer.ts"
export { make as makeProof } from "./record/proof.ts"

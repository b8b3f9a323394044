/**
 * The HTTP adapter: the catalogue on a socket.
 *
 * @module
 */
export { make as makeAdmin, type Options as AdminOptions } from "./admin.ts"
export type { Limits } from "./listener.ts"
export { HttpAddress, ListenError, layer, type Options } from "./server.ts"

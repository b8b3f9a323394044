/**
 * The HTTP adapter: the catalogue on a socket.
 *
 * @module
 */
export type { Limits } from "./listener.ts"
export { HttpAddress, ListenError, layer, type Options } from "./server.ts"

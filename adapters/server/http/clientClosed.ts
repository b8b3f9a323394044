import type { Socket } from "node:net"

const callbacks = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `then` when the client disconnects. Request and response have no event for that: a request whose body was read
 * closes immediately, and a response queued behind another emits nothing.
 *
 * @returns removes the callback
 */
export const onClientClosed = (socket: Socket, then: () => void): (() => void) => {
  let all = callbacks.get(socket)
  if (all === undefined) {
    const these = new Set<() => void>()
    all = these
    callbacks.set(socket, these)
    socket.once("close", () => {
      for (const each of these) each()
    })
  }
  all.add(then)
  return () => void all.delete(then)
}

import type { Socket } from "node:net"

const waiting = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `then` when a client goes away. Neither a request nor its response tells: a request whose body was read is
 * closed at once, and a response that waits behind another on its connection has no events.
 *
 * @returns forgets `then`
 */
export const onGone = (socket: Socket, then: () => void): (() => void) => {
  let all = waiting.get(socket)
  if (all === undefined) {
    const these = new Set<() => void>()
    all = these
    waiting.set(socket, these)
    socket.once("close", () => {
      for (const each of these) each()
    })
  }
  all.add(then)
  return () => void all.delete(then)
}

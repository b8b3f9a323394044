import type { Socket } from "node:net"
import { getOrMake } from "../../../core/getOrMake.ts"

const callbacks = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `then` when the client disconnects. Request and response have no event for that: a request whose body was read
 * closes immediately, and a response queued behind another emits nothing.
 *
 * @returns removes the callback
 */
export const onClientClosed = (socket: Socket, then: () => void): (() => void) => {
  const all = getOrMake(callbacks, socket, () => {
    const added = new Set<() => void>()
    socket.once("close", () => {
      for (const each of added) each()
    })
    return added
  })
  all.add(then)
  return () => void all.delete(then)
}

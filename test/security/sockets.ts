import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** A connection as a hostile client holds it: what it has received, and when the server has closed it. */
export interface Held {
  readonly socket: Socket
  readonly received: () => string
  /** Milliseconds from the first byte until the server closed, or undefined where it had not by then. */
  readonly closed: (withinMs: number) => Promise<number | undefined>
}

/** Opens a connection and writes bytes to it as they are. The client's own side stays open. */
export const hold = async (url: string, bytes: string, localAddress?: string): Promise<Held> => {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(localAddress === undefined ? {} : { localAddress }),
  })
  let wire = ""
  socket.on("data", (chunk) => {
    wire += chunk.toString("latin1")
  })
  socket.on("error", () => socket.destroy())
  const ended = new Promise<number>((resolve) => {
    const end = () => resolve(performance.now())
    socket.once("end", end)
    socket.once("close", end)
  })
  await once(socket, "connect")
  const began = performance.now()
  socket.write(bytes)
  return {
    socket,
    received: () => wire,
    closed: async (withinMs) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, withinMs, undefined)
      })
      const at = await Promise.race([ended, late])
      clearTimeout(timer)
      return at === undefined ? undefined : at - began
    },
  }
}

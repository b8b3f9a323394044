import { connect, createServer, type Socket } from "node:net"

/** A client's socket and its upstream's: whatever ends one ends the other. */
export interface Pair {
  readonly upstream: Socket
  readonly drop: () => void
}

/** A TCP server before other ones. */
export interface Relay {
  readonly port: number
  /** The open sockets of all pairs. */
  readonly open: ReadonlySet<Socket>
  /** Ends all pairs. */
  readonly drop: () => void
  readonly close: () => Promise<void>
}

/**
 * Listens on a port of this machine.
 *
 * @param accept pairs each client with an upstream, or ends it
 * @param port 0 for any that is free
 */
export const relay = async (
  accept: (client: Socket, pair: (target: URL) => Pair) => void,
  port = 0,
): Promise<Relay> => {
  const open = new Set<Socket>()
  const server = createServer((client) =>
    accept(client, ({ hostname, port: to }) => {
      const upstream = connect(Number(to), hostname)
      const drop = () => {
        client.destroy()
        upstream.destroy()
      }
      for (const socket of [client, upstream]) {
        open.add(socket)
        socket.setNoDelay(true)
        socket.on("error", drop)
        socket.on("close", () => {
          open.delete(socket)
          drop()
        })
      }
      return { upstream, drop }
    }),
  )
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const dropAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as { readonly port: number }).port,
    open,
    drop: dropAll,
    close: () =>
      new Promise((resolve) => {
        dropAll()
        server.close(() => resolve())
      }),
  }
}

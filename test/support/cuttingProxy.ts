import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy that loses connections on demand. */
export interface Proxy {
  /** The URL with the proxy's port. */
  readonly urlOf: (url: string) => string
  /** Drops the next answer of the server with its connection: the work is done, and nobody hears of it. */
  readonly cutAnswer: () => void
  /** Refuses every connection, and closes the open ones, until `heal`. */
  readonly partition: () => void
  readonly heal: () => void
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

export const start = async (url: string): Promise<Proxy> => {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isArmed = false
  let isAway = false
  let cuts = 0
  const server = createServer((client) => {
    if (isAway) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    const drop = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on("error", drop)
      socket.on("close", () => {
        open.delete(socket)
        drop()
      })
    }
    client.on("data", (chunk) => upstream.write(chunk))
    upstream.on("data", (chunk) => {
      if (!isArmed) return void client.write(chunk)
      isArmed = false
      cuts++
      drop()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address() as { readonly port: number }
  return {
    urlOf: (given) => Object.assign(new URL(given), { hostname: "127.0.0.1", port: String(address.port) }).toString(),
    cutAnswer: () => {
      isArmed = true
    },
    partition: () => {
      isAway = true
      for (const socket of open) socket.destroy()
    },
    heal: () => {
      isAway = false
    },
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

import { createServer } from "node:net"

/** A port of this machine on which nothing listened a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => found(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

import { createSocket } from "node:dgram"
import { createServer } from "node:net"

/** Below the ports that connections leave from, and above those that browsers refuse. */
const [first, count] = [12_000, 20_000]

/** Each process goes through them from a place of its own. */
let next = (process.pid * 997) % count

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const server = createServer().once("error", () => answer(false))
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)))
  })

/** Whether no other test has the port: this one claims it until its process ends, by the same number among the ports of UDP. */
const isClaimed = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const claim = createSocket("udp4").unref()
    claim.once("error", () => answer(false)).bind({ port, address: "127.0.0.1", exclusive: true }, () => answer(true))
  })

/** A port of this machine on which nothing listened a moment ago, and which nobody takes before its server does. */
export const freePort = async (): Promise<number> => {
  const port = first + next
  next = (next + 1) % count
  return (await isClaimed(port)) && (await isFree(port)) ? port : freePort()
}

import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { relay } from "./socketPairs.ts"

/** A TCP proxy that loses or delays connections on demand. */
export interface Proxy {
  /** The URL with the proxy's port. */
  readonly urlOf: (url: string) => string
  /** Drops the next answer of the server with its connection: the work is done, and nobody hears of it. */
  readonly cutAnswer: () => void
  /** Refuses every connection, and closes the open ones, until `heal`. */
  readonly partition: () => void
  /** Passes nothing on, as a network that loses every packet: connections open and nothing comes, until `heal`. */
  readonly silence: () => void
  readonly heal: () => void
  /** Holds every answer of the server back for so long, milliseconds. */
  readonly slow: (ms: number) => void
  /** Leads new connections to another server; the open ones are closed. */
  readonly lead: (url: string) => void
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

const start = async (url: string): Promise<Proxy> => {
  let to = new URL(url)
  let isArmed = false
  let isAway = false
  let isSilent = false
  let cuts = 0
  let delayMs = 0
  const { port, open, drop, close } = await relay((client, pair) => {
    if (isAway) return void client.destroy()
    const { upstream, drop: cut } = pair(to)
    client.on("data", (chunk) => upstream.write(chunk))
    upstream.on("data", (chunk) => {
      if (!isArmed) {
        const pass = () => void client.write(chunk)
        return delayMs === 0 ? pass() : void setTimeout(pass, delayMs)
      }
      isArmed = false
      cuts++
      cut()
    })
    if (isSilent) for (const socket of [client, upstream]) socket.pause()
  })
  return {
    urlOf: (given) => Object.assign(new URL(given), { hostname: "127.0.0.1", port: String(port) }).toString(),
    cutAnswer: () => {
      isArmed = true
    },
    partition: () => {
      isAway = true
      drop()
    },
    silence: () => {
      isSilent = true
      for (const socket of open) socket.pause()
    },
    heal: () => {
      isAway = false
      isSilent = false
      for (const socket of open) socket.resume()
    },
    lead: (next) => {
      to = new URL(next)
      drop()
    },
    slow: (ms) => {
      delayMs = ms
    },
    cuts: () => cuts,
    close,
  }
}

/** A proxy before a server, and the URL that leads through it; it goes with the scope. */
export const through = (direct: Redacted.Redacted) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(Redacted.value(direct))),
      ({ close }) => Effect.promise(close),
    ),
    (proxy) => ({ proxy, url: Redacted.make(proxy.urlOf(Redacted.value(direct))) }),
  )

import { readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Fault, faults, type Payload } from "./faults.ts"

export type { Fault, Payload }

/** One thing that an upstream knows. The first route that fits a request answers it. */
export interface Route {
  /** GET unless told otherwise. */
  readonly method?: string
  /** The path as it is on the wire, before the query. */
  readonly path: string | RegExp
  readonly query?: (query: URLSearchParams) => boolean
  /** The same for every request, or made for each. */
  readonly reply: Payload | ((request: Seen) => Payload)
  /** Spoils its answers at a request; absent: those of the whole upstream are spoilt or none. */
  readonly fault?: () => Fault | undefined
}

/** A request that came. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Whether a route fitted it; without one the answer is 404. */
  readonly matched: boolean
  /** Whether the answer was written to its end: a client that gave up in the middle leaves it unfinished. */
  readonly answered: () => boolean
}

export interface Replay {
  /** `http://127.0.0.1:<port>`, in place of the upstream's own address. */
  readonly url: string
  /** In the order they came. */
  readonly requests: ReadonlyArray<Seen>
  /** Spoils every answer from now on; without an argument the answers are good again. */
  readonly spoil: (fault?: Fault) => void
  /** Spoils the next answers, one fault each. */
  readonly spoilNext: (...faults: ReadonlyArray<Fault>) => void
}

export const json = (value: unknown): Payload => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
})

/** A recorded payload, byte for byte. */
export const recorded = (file: string | URL, contentType = "application/json"): Payload => ({
  headers: { "content-type": contentType },
  body: readFileSync(file),
})

const missing: Payload = { ...json({ error: "This upstream has no such thing." }), status: 404 }

const fits = (route: Route, { method, path, query }: Seen): boolean =>
  method === (route.method ?? "GET") &&
  (typeof route.path === "string" ? path === route.path : route.path.test(path)) &&
  (route.query?.(query) ?? true)

/**
 * An upstream on this machine that answers what a real one was recorded to answer, over a real socket, and can be made
 * to misbehave. It ends with the scope.
 *
 * @example
 * const exchange = yield* replay([{ path: "/products/BTC-USD/candles", reply: recorded(file) }])
 * const source = coinbase.make(client, exchange.url)
 * exchange.spoil(faults.halfBody)
 */
export const replay = (routes: ReadonlyArray<Route>): Effect.Effect<Replay, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<Seen> = []
    const next: Array<Fault> = []
    let always: Fault = faults.none
    const server = createServer((request, response) => {
      request.resume()
      const { pathname, searchParams } = new URL(request.url!, "http://upstream")
      const asked = { method: request.method!, path: pathname, query: searchParams, headers: request.headers }
      const answered = () => response.writableFinished
      const route = routes.find((candidate) => fits(candidate, { ...asked, matched: true, answered }))
      const seen: Seen = { ...asked, matched: route !== undefined, answered }
      requests.push(seen)
      const good = route === undefined ? missing : typeof route.reply === "function" ? route.reply(seen) : route.reply
      const fault = route?.fault?.() ?? next.shift() ?? always
      fault(good, response)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests,
      spoil: (fault = faults.none) => {
        always = fault
      },
      spoilNext: (...more) => void next.push(...more),
    }
  })

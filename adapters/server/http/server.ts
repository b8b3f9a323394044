import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import * as ClientAddress from "./clientAddress.ts"
import * as Connections from "./connections.ts"
import * as Health from "./health.ts"
import * as Listener from "./listener.ts"
import * as Rest from "./rest.ts"
import * as Route from "./route.ts"

/** Documents and pages beside the API. */
export interface Documents {
  /** @param served the routes that they describe */
  readonly routes: (
    served: ReadonlyArray<Route.Route>,
    ready: Health.Ready,
  ) => Effect.Effect<ReadonlyArray<Route.Route>, never, Scope>
  readonly failures: Rest.FailurePages
}

/** What is served, wherever it is mounted. */
export interface ListenerOptions {
  /** Absent: ready without a check. */
  readonly ready?: Health.Ready
  /** Routes in addition to the catalogue, the documents and health. */
  readonly routes?: ReadonlyArray<Route.Route>
  /** Documents and pages, which describe all other routes. */
  readonly documents: Documents
  /** The public URL of the service. */
  readonly baseUrl?: string
  readonly limits?: Partial<Listener.Limits>
  /** Trusted proxies in front of the server; default none. */
  readonly trusts?: ClientAddress.Trusts
}

export interface Options extends ListenerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly limits?: Partial<Limits>
  /** Longest time that running calls may take during shutdown, milliseconds. */
  readonly drainMs?: number
  /** How long the server still accepts and answers calls at shutdown while `/readyz` is 503, milliseconds; default 0. */
  readonly pauseMs?: number
}

export interface Limits extends Listener.Limits, Connections.Bounds {
  /** Keep-alive of an idle connection, milliseconds. */
  readonly keepAliveMs: number
}

/**
 * Keep-alive is longer than that of common proxies (60 s): a proxy then never sends a request on a connection that this
 * server is closing.
 */
export const defaultLimits: Limits = { ...Listener.defaultLimits, ...Connections.defaultBounds, keepAliveMs: 75_000 }

export class ListenError extends Data.TaggedError("ListenError")<{
  readonly message: string
  readonly cause: unknown
}> {}

export class HttpAddress extends Context.Tag("market-signals/adapters/server/http/HttpAddress")<
  HttpAddress,
  { readonly host: string; readonly port: number; readonly url: string }
>() {}

/** Interval at which Node checks for requests that arrive too slowly, milliseconds. */
const slowRequestCheckMs = 1_000

const serverOptions = ({ arriveMs, keepAliveMs: keptMs }: Limits) => ({
  headersTimeout: arriveMs,
  requestTimeout: arriveMs,
  connectionsCheckingInterval: Math.min(slowRequestCheckMs, arriveMs / 5),
  keepAliveTimeout: keptMs,
  maxHeaderSize: 16_384,
  // The listener checks Host itself, so that the error has a body.
  requireHostHeader: false,
})

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

const showListenAddress = ({ host, port }: ListenAddress): string => `${host}:${port}`

const listen = (server: Server, place: ListenAddress): Effect.Effect<AddressInfo, ListenError> =>
  Effect.async((resume) => {
    const shown = showListenAddress(place)
    server.once("error", (cause: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(
          new ListenError({
            message: cause.code === "EADDRINUSE" ? `${shown} is in use.` : `Cannot listen on ${shown}.`,
            cause,
          }),
        ),
      ),
    )
    server.listen(place, () => resume(Effect.succeed(server.address() as AddressInfo)))
  })

/** During shutdown a connection without a request is closed after this, milliseconds. */
const preconnectGraceMs = 250

/** Stops accepting, lets running calls finish, and closes the remaining connections after `drainMs`. */
const drain = (
  server: Server,
  sockets: ReadonlySet<Socket>,
  onDrain: () => void,
  drainMs: number,
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    // Otherwise a keep-alive connection would bring new calls until it is closed.
    onDrain()
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    // Clients preconnect, and Node does not count a socket without a request as idle.
    const hush = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, preconnectGraceMs)
    server.close(() => {
      clearTimeout(cut)
      clearTimeout(hush)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })

/** Serves a listener until the scope closes. */
export const serve = (
  listener: Listener.Listener,
  place: ListenAddress,
  limits: Limits,
  trusts: ClientAddress.Trusts,
  drainMs = 8_000,
): Effect.Effect<AddressInfo, ListenError, Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const server = createServer(serverOptions(limits), listener.onRequest)
    server.on("clientError", listener.onClientError)
    // An unknown Expect is rejected by the listener: Node's own 417 has no body.
    server.on("checkExpectation", listener.onRequest)
    const connections = Connections.watch(server, {
      ...limits,
      // A proxy on this machine carries many clients, whether or not it is listed as trusted.
      isShared: (address) => ClientAddress.isLoopback(address) || trusts(address),
      onRefused: (count) =>
        Runtime.runFork(runtime)(
          Effect.logWarning(
            `${count} connections to ${showListenAddress(place)} were rejected: ${connections.open.size} were open`,
          ),
        ),
    })
    yield* Effect.addFinalizer(() => Effect.sync(connections.announceShutdown))
    return yield* Effect.acquireRelease(listen(server, place), () =>
      drain(server, connections.open, listener.onDrain, drainMs),
    )
  })

/** What a mounted service needs. */
export type Needs = Gateway | RateLimits | Scope

/** The listener of a catalogue, and a function after whose call `/readyz` reports the shutdown. */
const make = (catalogue: Catalogue.Any, options: ListenerOptions) =>
  Effect.gen(function* () {
    const { documents, baseUrl, limits, trusts = ClientAddress.trustsNobody } = options
    let isEnding = false
    const ready = Effect.flatMap(options.ready ?? Health.ready, (found) =>
      isEnding ? Health.shuttingDown : Effect.succeed(found),
    )
    const served = [
      ...Route.fromEntries(withAccount(catalogue, (yield* Gateway).manages).entries),
      ...(options.routes ?? []),
      ...(yield* Health.make(ready)),
    ]
    const table = Route.makeTable([...served, ...(yield* documents.routes(served, ready))], ["key", "none"])
    const listener = yield* Listener.make({
      table,
      rest: Rest.make(table, yield* Rest.publicSurface(table, documents.failures, baseUrl)),
      limits: { ...Listener.defaultLimits, ...limits },
      trusts,
    })
    return {
      listener,
      end: () => {
        isEnding = true
      },
    }
  })

/** The catalogue as a listener for an embedder's own server. When the scope closes, open streams end. */
export const makeListener = (
  catalogue: Catalogue.Any,
  options: ListenerOptions,
): Effect.Effect<RequestListener, never, Needs> =>
  Effect.gen(function* () {
    const { listener, end } = yield* make(catalogue, options)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        end()
        listener.onDrain()
      }),
    )
    return listener.onRequest
  })

/** The HTTP adapter: the catalogue on a socket until the scope closes. */
export const layer = (
  catalogue: Catalogue.Any,
  options: Options,
): Layer.Layer<HttpAddress, ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    HttpAddress,
    Effect.gen(function* () {
      const { listener, end } = yield* make(catalogue, options)
      const { host, port, drainMs, pauseMs = 0, trusts = ClientAddress.trustsNobody } = options
      const limits = { ...defaultLimits, ...options.limits }
      const bound = (yield* serve(listener, { host, port }, limits, trusts, drainMs)) as AddressInfo
      // Runs first at shutdown: a balancer that asks meanwhile sends its calls elsewhere before the listener closes.
      yield* Effect.addFinalizer(() => {
        end()
        return pauseMs === 0 ? Effect.void : Effect.sleep(pauseMs)
      })
      const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address
      return { host: bound.address, port: bound.port, url: `http://${name}:${bound.port}` }
    }),
  )

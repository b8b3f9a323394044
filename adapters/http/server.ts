import { createServer, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import * as Protocol from "../mcp/protocol.ts"
import * as Discovery from "./discovery/pages.ts"
import * as Listener from "./listener.ts"
import * as Rest from "./rest.ts"

export interface Options {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly ready: Rest.Ready
  /** What answers below `/admin/v1`; without it nothing does. */
  readonly admin?: HttpApp.Default
  /** What answers below `/v1/proof`: checkpoints and proofs of the record. */
  readonly proof?: HttpRouter.HttpRouter
  /** What answers at `/scoreboard`. */
  readonly scoreboard?: HttpRouter.HttpRouter
  /** What the documents say of the installation; without it there are none but the pages of errors. */
  readonly discovery?: Discovery.Options
  /** What answers its own paths in its own form. */
  readonly mount?: Listener.Mount
  readonly limits?: Partial<Listener.Limits>
  /** How long running calls may take after the end was asked for, milliseconds. */
  readonly drainMs?: number
}

export class ListenError extends Data.TaggedError("ListenError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** The bound address. */
export class HttpAddress extends Context.Tag("adapters/http/HttpAddress")<
  HttpAddress,
  { readonly host: string; readonly port: number; readonly url: string }
>() {}

/** Slow senders are cut off well within twenty seconds. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
  // The listener looks itself, so that the answer has a body.
  requireHostHeader: false,
}

const listen = (server: Server, { host, port }: Options): Effect.Effect<AddressInfo, ListenError> =>
  Effect.async((resume) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(
          new ListenError({
            message: cause.code === "EADDRINUSE" ? `${host}:${port} is in use.` : `Cannot listen on ${host}:${port}.`,
            cause,
          }),
        ),
      ),
    )
    server.listen(port, host, () => resume(Effect.succeed(server.address() as AddressInfo)))
  })

/** How long a connection that was opened may stay silent once the end was asked for, milliseconds. */
const silenceMs = 250

/** Stops accepting, lets running calls finish, and cuts what is left after `drainMs`. */
const drain = (
  server: Server,
  sockets: ReadonlySet<Socket>,
  onDrain: () => void,
  drainMs: number,
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    // A connection that was kept would go on bringing calls until one of them is cut.
    onDrain()
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    // Clients open connections in advance. node holds one that has not brought a request yet for no idle one.
    const hush = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, silenceMs)
    server.close(() => {
      clearTimeout(cut)
      clearTimeout(hush)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })

/** The HTTP adapter: the catalogue on a socket until the scope closes. */
export const layer = (catalogue: Catalogue.Any, options: Options): Layer.Layer<HttpAddress, ListenError, Gateway> =>
  Layer.scoped(
    HttpAddress,
    Effect.gen(function* () {
      const { mount, proof, scoreboard, discovery } = options
      const pages =
        discovery === undefined
          ? Discovery.always
          : yield* Discovery.make(catalogue, discovery, {
              proof: proof !== undefined,
              scoreboard: scoreboard !== undefined,
              ...(mount?.paths.has(Protocol.paths.streamable)
                ? { mcp: { legacySse: mount.paths.has(Protocol.paths.events) } }
                : {}),
            })
      const rest = yield* Rest.make(catalogue, options.ready, options.admin, proof, scoreboard, pages)
      const listener = yield* Listener.make(catalogue, rest, { ...Listener.defaultLimits, ...options.limits }, mount)
      const server = createServer(serverOptions, listener.onRequest)
      server.on("clientError", listener.onClientError)
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
      })
      // An expectation that node does not know is none of ours either; node's own 417 has no body.
      server.on("checkExpectation", listener.onRequest)
      const address = yield* Effect.acquireRelease(listen(server, options), () =>
        drain(server, sockets, listener.onDrain, options.drainMs ?? 8_000),
      )
      const host = address.family === "IPv6" ? `[${address.address}]` : address.address
      return { host: address.address, port: address.port, url: `http://${host}:${address.port}` }
    }),
  )

import type { IncomingMessage } from "node:http"
import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../core/account/RateLimits.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../core/Failure.ts"
import { authentication, requestsPerAddress, takeRequestOfAddress, within } from "../../core/gateway/access.ts"
import type { RequestContext } from "../../core/gateway/Call.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import { onClientClosed } from "../http/clientClosed.ts"
import { defaultLimits, type Exchange, type Mount } from "../http/listener.ts"
import { admit, hostnames, refuseFailure, refuseMethod, relay, relayList, reply, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as LibraryErrors from "./libraryErrors.ts"
import { paths } from "./protocol.ts"
import * as Server from "./server.ts"
import * as Sse from "./sse.ts"
import * as Tools from "./tools.ts"

export interface Options {
  /** The server's public URL. */
  readonly baseUrl: string
  /** Additional allowed Hosts and Origins. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Whether the deprecated transport is served. */
  readonly legacySse?: boolean
  /** Limits of the deprecated transport's streams. */
  readonly streams?: Partial<Sse.Bounds>
}

/** A protocol server without the tool list, and the list: its JSON is built once, not per request. */
export interface Listing {
  /** Answers `tools/list` with an empty list. */
  readonly makeServer: Server.MakeServer
  /** The tool list as JSON. */
  readonly tools: string
}

const contextOf = ({ request: { headers }, address }: Exchange): RequestContext => ({
  authorization: headers.authorization,
  ...(typeof headers["x-request-id"] === "string" ? { clientRequestId: headers["x-request-id"] } : {}),
  ...(address === undefined ? {} : { address }),
})

/** The request for the library. The body was read before, within limits. */
const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!)
  }
  return new Request(`http://localhost${paths.streamable}`, { method: "POST", headers, signal })
}

/**
 * MCP over HTTP: the streamable transport for all revisions, without sessions, and the deprecated pair of event stream
 * and messages. Failures outside a message are JSON-RPC errors.
 */
export const serve = (
  makeServer: Server.MakeServer,
  { baseUrl, allowedHosts = [], legacySse = true, streams = {} }: Options,
  listing?: Listing,
): Effect.Effect<Mount, never, Keyring | RateLimits | Scope | PlatformCrypto> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const run = Runtime.runPromise(runtime)
    const authenticate = yield* authentication
    const limits = yield* RateLimits
    const onerror = yield* LibraryErrors.make
    const { fetch: ask, close } = createMcpHandler(listing?.makeServer ?? makeServer, {
      onerror,
    })
    const listed = listing === undefined ? undefined : Buffer.from(`"tools":${listing.tools}`)
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const names = hostnames(baseUrl, allowedHosts)
    const messagesPath = new URL(baseUrl).pathname.replace(/\/$/, "") + paths.messages
    const sse = Sse.make(makeServer, messagesPath, { ...Sse.defaultBounds, ...streams })

    /** Limits messages per minute, calls included: by key or, without a valid key, by address. */
    const admitted = ({ request, address }: Exchange): Effect.Effect<void, Failure> =>
      Effect.matchEffect(authenticate(request.headers.authorization), {
        onSuccess: ({ keyId, perMinute }) =>
          Effect.flatMap(limits.take(`requests:${keyId}`, perMinute + requestsPerAddress), (taken) =>
            within(taken, "key"),
          ),
        onFailure: () => (address === undefined ? Effect.void : takeRequestOfAddress(limits, address)),
      })

    const streamable = async (exchange: Exchange, message: JsonRpc.Message): Promise<void> => {
      const { request } = exchange
      // This server issues no sessions, so the id is another server's and the client must initialize again.
      if (request.headers["mcp-session-id"] !== undefined) {
        return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
      }
      const gone = new AbortController()
      const leave = () => gone.abort()
      const forget = onClientClosed(request.socket, leave)
      exchange.response.once("close", () => {
        forget()
        // After a complete answer there is nothing to abort.
        if (!exchange.response.writableFinished) leave()
      })
      const authInfo = Server.carrying(contextOf(exchange))
      const answer = await ask(webRequest(request, gone.signal), { parsedBody: message, authInfo })
      if (listed !== undefined && "method" in message && message.method === "tools/list") {
        return relayList(exchange, answer, listed)
      }
      await relay(exchange, answer)
    }

    const messages = (exchange: Exchange, message: JsonRpc.Message): Promise<void> =>
      sse.post(exchange, message, contextOf(exchange))

    /** Parses a POST's message and passes it to `then`. */
    const posted = async (
      exchange: Exchange,
      then: (exchange: Exchange, message: JsonRpc.Message) => Promise<void>,
    ): Promise<void> => {
      const { request } = exchange
      if (!isJsonContentType(request.headers["content-type"] ?? null)) {
        const body = JsonRpc.error(JsonRpc.serverError, "Content-Type must be application/json.")
        return reply(exchange, 415, body)
      }
      const body = await run(Effect.either(Effect.zipRight(admitted(exchange), exchange.body)))
      if (Either.isLeft(body)) return refuseFailure(exchange, body.left)
      const message = JsonRpc.parse(body.right)
      if (Either.isLeft(message)) return send(exchange, 400, message.left)
      await then(exchange, message.right)
    }

    const answer = async (exchange: Exchange): Promise<void> => {
      if (!admit(exchange, names)) return
      const { path, request } = exchange
      const method = path === paths.events ? "GET" : "POST"
      if (request.method !== method) return refuseMethod(exchange, method)
      if (path === paths.events) {
        const caller = await run(Effect.either(authenticate(request.headers.authorization)))
        return Either.isLeft(caller) ? refuseFailure(exchange, caller.left) : sse.open(exchange)
      }
      return posted(exchange, path === paths.streamable ? streamable : messages)
    }

    return {
      paths: new Set(legacySse ? Object.values(paths) : [paths.streamable]),
      onRequest: (exchange) => {
        answer(exchange).catch((defect) => {
          Runtime.runFork(runtime)(Effect.logError("MCP request failed: internal error", defect))
          reply(exchange, 500, JsonRpc.error(JsonRpc.internalError, "Unexpected server error."))
        })
      },
      onRefused: refuseFailure,
      onDrain: sse.drain,
    }
  })

/** The catalogue over HTTP. */
export const make = (
  catalogue: Catalogue.Any,
  options: Options & {
    /** Longest time for an answer, milliseconds. */
    readonly answerMs?: number
  },
): Effect.Effect<Mount, never, Gateway | Keyring | RateLimits | Scope | PlatformCrypto> =>
  Effect.gen(function* () {
    const { answerMs = defaultLimits.answerMs } = options
    return yield* serve(yield* Server.make(catalogue, answerMs), options, {
      makeServer: yield* Server.make(catalogue, answerMs, Server.nobody, false),
      tools: JSON.stringify(Tools.list(catalogue)),
    })
  })

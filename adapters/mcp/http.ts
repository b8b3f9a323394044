import type { IncomingMessage } from "node:http"
import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { Keyring } from "../../core/account/Keyring.ts"
import { RateLimits } from "../../core/account/RateLimits.ts"
import type { Secrets } from "../../core/account/Secrets.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../core/Failure.ts"
import { authentication, requestsPerAddress, takeRequestOfAddress, within } from "../../core/gateway/access.ts"
import type { RequestContext } from "../../core/gateway/Call.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import { onGone } from "../http/gone.ts"
import { defaultLimits, type Exchange, type Mount } from "../http/listener.ts"
import { admit, hostnames, refuse, refuseFailure, refuseMethod, relay, relayList, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as LibraryErrors from "./libraryErrors.ts"
import { paths } from "./protocol.ts"
import * as Server from "./server.ts"
import * as Sse from "./sse.ts"
import * as Tools from "./tools.ts"

export interface Options {
  /** The address under which clients know the server. */
  readonly baseUrl: string
  /** Further host names under which it is reached, or whose pages may reach it. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Whether the deprecated transport is served. */
  readonly legacySse?: boolean
  /** What the streams of the deprecated transport may take. */
  readonly streams?: Partial<Sse.Bounds>
}

/** A protocol server whose list of tools, too long to be made for each who asks, is served from one text. */
export interface Listing {
  /** Answers `tools/list` with an empty list. */
  readonly makeServer: Server.MakeServer
  /** The tools that belong there, as JSON. */
  readonly tools: string
}

const contextOf = ({ request: { headers }, address }: Exchange): RequestContext => ({
  authorization: headers.authorization,
  ...(typeof headers["x-request-id"] === "string" ? { clientRequestId: headers["x-request-id"] } : {}),
  ...(address === undefined ? {} : { address }),
})

/** The request as the library reads it. The body was read before, within bounds. */
const webRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!)
  }
  return new Request(`http://localhost${paths.streamable}`, { method: "POST", headers, signal })
}

/**
 * Protocol servers over HTTP: the streamable transport for clients of every revision, without sessions, and the
 * deprecated pair of stream and messages. Errors around a message are in the protocol's own form.
 */
export const serve = (
  makeServer: Server.MakeServer,
  { baseUrl, allowedHosts = [], legacySse = true, streams = {} }: Options,
  listing?: Listing,
): Effect.Effect<Mount, never, Keyring | RateLimits | Scope | Secrets> =>
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

    /** Every message costs us something: a key and an address without one have so many a minute, calls included. */
    const admitted = ({ request, address }: Exchange): Effect.Effect<void, Failure> =>
      Effect.matchEffect(authenticate(request.headers.authorization), {
        onSuccess: ({ keyId, perMinute }) =>
          Effect.flatMap(limits.take(`requests:${keyId}`, perMinute + requestsPerAddress), (taken) =>
            within(taken, "key"),
          ),
        onFailure: () =>
          address === undefined
            ? Effect.void
            : Effect.flatMap(takeRequestOfAddress(limits, address), (taken) => within(taken, "address")),
      })

    const streamable = async (exchange: Exchange, message: JsonRpc.Message): Promise<void> => {
      const { request } = exchange
      // No session is ever issued: one that is named was another server's, and the client must begin anew.
      if (request.headers["mcp-session-id"] !== undefined) {
        return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
      }
      const gone = new AbortController()
      const leave = () => gone.abort()
      const forget = onGone(request.socket, leave)
      exchange.response.once("close", () => {
        forget()
        // Nothing is left of an answer that was given whole.
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

    /** Reads the message of a POST and hands it on. */
    const posted = async (
      exchange: Exchange,
      then: (exchange: Exchange, message: JsonRpc.Message) => Promise<void>,
    ): Promise<void> => {
      const { request } = exchange
      if (!isJsonContentType(request.headers["content-type"] ?? null)) {
        const body = JsonRpc.error(JsonRpc.serverError, "Content-Type must be application/json.")
        return refuse(exchange, 415, body)
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
          Runtime.runFork(runtime)(Effect.logError("A request of the protocol ended in a defect", defect))
          refuse(exchange, 500, JsonRpc.error(JsonRpc.internalError, "Something went wrong on our side."))
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
): Effect.Effect<Mount, never, Gateway | Keyring | RateLimits | Scope | Secrets> =>
  Effect.gen(function* () {
    const { answerMs = defaultLimits.answerMs } = options
    return yield* serve(yield* Server.make(catalogue, answerMs), options, {
      makeServer: yield* Server.make(catalogue, answerMs, Server.nobody, false),
      tools: JSON.stringify(Tools.list(catalogue)),
    })
  })

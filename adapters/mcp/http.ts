import type { IncomingMessage } from "node:http"
import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { Caller, Keyring } from "../../core/account/Keyring.ts"
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
import * as Resources from "./resources.ts"
import * as Server from "./server.ts"
import * as Sse from "./sse.ts"
import * as Tools from "./tools.ts"
import * as Toolsets from "./toolsets.ts"

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

/** A protocol server without the tool list, and the list: the JSON of a tool is built once, not per request. */
export interface Listing {
  /** Answers `tools/list` with an empty list. */
  readonly makeServer: Server.MakeServer
  /** The toolsets that a client can select. */
  readonly toolsets: ReadonlyArray<string>
  /** The tools of a view, as the JSON of a list. */
  readonly tools: (view: Toolsets.View) => string
}

/** The parameter of `/mcp` and `/mcp/sse` that selects toolsets. */
const selection = "toolsets"

/** Answers a message; the caller is absent without a valid key. */
type Answering = (exchange: Exchange, message: JsonRpc.Message, caller: Caller | undefined) => Promise<void>

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
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const names = hostnames(baseUrl, allowedHosts)
    const messagesPath = new URL(baseUrl).pathname.replace(/\/$/, "") + paths.messages
    const sse = Sse.make(makeServer, messagesPath, { ...Sse.defaultBounds, ...streams })

    /** Limits messages per minute, calls included: by key or, without a valid key, by address. */
    const admitted = ({ request, address }: Exchange): Effect.Effect<Caller | undefined, Failure> =>
      Effect.matchEffect(authenticate(request.headers.authorization), {
        onSuccess: (caller) =>
          Effect.flatMap(limits.take(`requests:${caller.keyId}`, caller.perMinute + requestsPerAddress), (taken) =>
            Effect.as(within(taken, "key"), caller),
          ),
        onFailure: () =>
          Effect.as(address === undefined ? Effect.void : takeRequestOfAddress(limits, address), undefined),
      })

    /** The toolsets that a request's URL selects. */
    const selected = ({ request }: Exchange): ReturnType<typeof Toolsets.read> =>
      Toolsets.read(
        listing?.toolsets ?? [],
        listing === undefined ? "" : new URL(request.url!, "http://localhost").searchParams.getAll(selection).join(),
      )

    const streamable: Answering = async (exchange, message, caller) => {
      const { request } = exchange
      // This server issues no sessions, so the id is another server's and the client must initialize again.
      if (request.headers["mcp-session-id"] !== undefined) {
        return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
      }
      const toolsets = selected(exchange)
      if (Either.isLeft(toolsets)) {
        return send(exchange, 400, JsonRpc.error(JsonRpc.invalidParams, toolsets.left, JsonRpc.idOf(message)))
      }
      const gone = new AbortController()
      const leave = () => gone.abort()
      const forget = onClientClosed(request.socket, leave)
      exchange.response.once("close", () => {
        forget()
        // After a complete answer there is nothing to abort.
        if (!exchange.response.writableFinished) leave()
      })
      const authInfo = Server.carrying({ context: contextOf(exchange), toolsets: toolsets.right })
      const answer = await ask(webRequest(request, gone.signal), { parsedBody: message, authInfo })
      if (listing !== undefined && "method" in message && message.method === "tools/list") {
        const tools = listing.tools({ toolsets: toolsets.right, scopes: caller?.scopes })
        return relayList(exchange, answer, Buffer.from(`"tools":${tools}`))
      }
      await relay(exchange, answer)
    }

    const messages: Answering = (exchange, message) => sse.post(exchange, message, contextOf(exchange))

    /** Parses a POST's message and passes it to `then`. */
    const posted = async (exchange: Exchange, then: Answering): Promise<void> => {
      const { request } = exchange
      if (!isJsonContentType(request.headers["content-type"] ?? null)) {
        const body = JsonRpc.error(JsonRpc.serverError, "Content-Type must be application/json.")
        return reply(exchange, 415, body)
      }
      const received = await run(
        Effect.either(
          Effect.flatMap(admitted(exchange), (caller) => Effect.map(exchange.body, (body) => ({ caller, body }))),
        ),
      )
      if (Either.isLeft(received)) return refuseFailure(exchange, received.left)
      const message = JsonRpc.parse(received.right.body)
      if (Either.isLeft(message)) return send(exchange, 400, message.left)
      await then(exchange, message.right, received.right.caller)
    }

    const answer = async (exchange: Exchange): Promise<void> => {
      if (!admit(exchange, names)) return
      const { path, request } = exchange
      const method = path === paths.events ? "GET" : "POST"
      if (request.method !== method) return refuseMethod(exchange, method)
      if (path === paths.events) {
        const caller = await run(Effect.either(authenticate(request.headers.authorization)))
        if (Either.isLeft(caller)) return refuseFailure(exchange, caller.left)
        const toolsets = selected(exchange)
        return Either.isLeft(toolsets)
          ? reply(exchange, 400, JsonRpc.error(JsonRpc.invalidParams, toolsets.left))
          : sse.open(exchange, toolsets.right)
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
  options: Options &
    Omit<Resources.Site, "baseUrl"> & {
      /** Longest time for an answer, milliseconds. */
      readonly answerMs?: number
      /** The served toolsets; none named: all. */
      readonly toolsets?: ReadonlyArray<string>
    },
): Effect.Effect<Mount, never, Gateway | Keyring | RateLimits | Scope | PlatformCrypto> =>
  Effect.gen(function* () {
    const { answerMs = defaultLimits.answerMs } = options
    const served = Toolsets.narrow(catalogue, options.toolsets)
    const resources = yield* Resources.make(served, options)
    const tools = yield* Tools.make(served)
    const written = tools.entries.map((entry) => ({ ...entry, json: JSON.stringify(entry.tool) }))
    return yield* serve(yield* Server.make(tools, { answerMs, resources }), options, {
      makeServer: yield* Server.make(tools, { answerMs, resources, isListed: false }),
      toolsets: Toolsets.names(served),
      tools: (view) =>
        `[${written
          .filter((entry) => Toolsets.isListed(entry, view))
          .map(({ json }) => json)
          .join()}]`,
    })
  })

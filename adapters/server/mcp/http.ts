import type { IncomingMessage } from "node:http"
import { createMcpHandler, isJsonContentType } from "@modelcontextprotocol/server"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { Caller, Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import { authentication, failIfExceeded, requestsPerAddress, takeKeylessRequest } from "../../../core/gateway/access.ts"
import type { KeyPlace, RequestContext } from "../../../core/gateway/Call.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import * as Release from "../../../core/release.ts"
import * as Step from "../../../core/Step.ts"
import { paths, selection } from "../../describe/tools/protocol.ts"
import * as Toolsets from "../../describe/tools/toolsets.ts"
import { onClientClosed } from "../http/clientClosed.ts"
import { defaultLimits, type Exchange, type Mount } from "../http/listener.ts"
import * as Calls from "./calls.ts"
import * as Direct from "./direct.ts"
import { admit, hostnames, refuseFailure, refuseMethod, relay, relayList, replyUnread, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as Plain from "./plain.ts"
import * as Resources from "./resources.ts"
import * as Server from "./server.ts"
import * as Sse from "./sse.ts"
import * as Tools from "./tools.ts"

export interface Options {
  /** The server's public URL. */
  readonly baseUrl: string
  /** Additional allowed Hosts and Origins. */
  readonly allowedHosts?: ReadonlyArray<string>
  readonly legacySse?: boolean
  /** Limits of the deprecated transport's streams. */
  readonly streams?: Partial<Sse.Bounds>
  /** Replaces parts of the context of every call, such as where hints say that the key belongs. */
  readonly context?: Pick<RequestContext, "keyPlace" | "errorsUrl">
}

/** Tools whose JSON is built once, not per request, and a protocol server that leaves them out. */
export interface Listing {
  /** Answers `tools/list` with an empty list. */
  readonly makeServer: Server.MakeServer
  /** The toolsets that a client can select. */
  readonly toolsets: ReadonlyArray<string>
  /** The tools of a view, as the JSON of a list. */
  readonly tools: (view: Toolsets.View) => string
  /** Answers plain requests without a protocol server. */
  readonly direct: Direct.Direct
}

/** Nothing, or a promise for work that continues. */
type Completion = Promise<void> | void

/** Answers a message, given as parsed JSON; the caller is absent without a valid key. */
type AnswerMessage = (exchange: Exchange, value: unknown, caller: Caller | undefined) => Completion

/** The person who configures the client reads this in a tool's error. */
const keyPlace: KeyPlace = {
  field: "Authorization",
  suggestion: `Set the API key in the client's configuration: MARKET_SIGNALS_KEY for the command \`${Release.name} mcp\`, the header Authorization: Bearer <API key> for a URL.`,
}

const toContext = (
  { request: { headers, socket }, address }: Exchange,
  shared: Options["context"],
): RequestContext => ({
  authorization: headers.authorization,
  keyPlace,
  ...shared,
  connection: socket,
  ...(typeof headers["x-request-id"] === "string" ? { clientRequestId: headers["x-request-id"] } : {}),
  ...(address === undefined ? {} : { address }),
})

/** The request for the library. Its body has already been read, within limits. */
const toWebRequest = (request: IncomingMessage, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!)
  }
  return new Request(`http://localhost${paths.streamable}`, { method: "POST", headers, signal })
}

/** Runs work for exchanges; an exception becomes an internal error. */
const makeRunner = (runtime: Runtime.Runtime<never>) => {
  const runCallback = Runtime.runCallback(runtime)

  const replyInternalError = (exchange: Exchange, defect: unknown): void => {
    Runtime.runFork(runtime)(Effect.logError("MCP request failed: internal error", defect))
    replyUnread(exchange, 500, JsonRpc.error(JsonRpc.internalError, "Unexpected server error."))
  }

  const runGuarded = (exchange: Exchange, work: () => Completion): void => {
    try {
      work()?.catch((defect) => replyInternalError(exchange, defect))
    } catch (defect) {
      replyInternalError(exchange, defect)
    }
  }

  /** Passes the result of a step to `then`, or refuses the request with its failure. */
  const whenDone = <A>(exchange: Exchange, step: Step.Step<A, Failure>, then: (value: A) => Completion): void => {
    const done = (exit: Exit.Exit<A, Failure>): void =>
      runGuarded(exchange, () => {
        if (Exit.isSuccess(exit)) return then(exit.value)
        const failure = Cause.failureOrCause(exit.cause)
        if (Either.isRight(failure)) throw Cause.squash(failure.right)
        refuseFailure(exchange, failure.left)
      })
    if (Step.isDone(step)) done(step)
    else if (Step.isPending(step)) step.listen((result) => whenDone(exchange, result, then))
    else runCallback(step, { onExit: done })
  }

  return { guarded: runGuarded, whenDone }
}

const readToolsets = (
  { request: { url = "" } }: Exchange,
  listing: Listing | undefined,
): ReturnType<typeof Toolsets.read> =>
  listing === undefined || !url.includes("?")
    ? Either.right(undefined)
    : Toolsets.read(listing.toolsets, new URL(url, "http://localhost").searchParams.getAll(selection).join())

/** The caller of an exchange, and the limit of its messages. */
const makeAdmission = (authenticate: Effect.Effect.Success<typeof authentication>, limits: RateLimits["Type"]) => {
  const [authenticateEagerly, take] = [Step.eager(authenticate), Step.eager(limits.take)]

  const authenticateCaller = ({ request: { headers, socket } }: Exchange): Step.Step<Caller, Failure> =>
    authenticateEagerly(headers.authorization, socket)

  /** Limits messages per minute, calls included: by key or, without a valid key, by address. */
  const admitMessage = (exchange: Exchange): Step.Step<Caller | undefined, Failure> => {
    const { address } = exchange
    const keyed = Step.catchCause(authenticateCaller(exchange), (cause): Step.Step<Caller | undefined, Failure> => {
      if (Either.isRight(Cause.failureOrCause(cause))) return Exit.failCause(cause)
      return address === undefined ? Exit.succeed(undefined) : Effect.as(takeKeylessRequest(limits, address), undefined)
    })
    return Step.andThen(
      keyed,
      (caller): Step.Step<Caller | undefined, Failure> =>
        caller === undefined
          ? Exit.succeed(undefined)
          : Step.andThen(take(`requests:${caller.keyId}`, caller.perMinute + requestsPerAddress), (taken) =>
              Step.andThen(failIfExceeded(taken, "key"), () => Exit.succeed(caller)),
            ),
    )
  }

  return { callerOf: authenticateCaller, admitted: admitMessage }
}

type Ask = ReturnType<typeof createMcpHandler>["fetch"]

const answerByLibrary = async (
  ask: Ask,
  exchange: Exchange,
  message: JsonRpc.Message,
  carried: Server.MessageContext,
): Promise<Response> => {
  const { request, response } = exchange
  const gone = new AbortController()
  const leave = () => gone.abort()
  const forget = onClientClosed(request.socket, leave)
  response.once("close", () => {
    forget()
    // After a complete answer there is nothing to abort.
    if (!response.writableFinished) leave()
  })
  return ask(toWebRequest(request, gone.signal), { parsedBody: message, authInfo: Server.toAuthInfo(carried) })
}

const answerStreamable =
  (ask: Ask, shared: Options["context"], listing?: Listing): AnswerMessage =>
  (exchange, value, caller) => {
    const { headers } = exchange.request
    const plain = listing === undefined ? undefined : Plain.parse(headers, value)
    const message = plain === undefined ? JsonRpc.toMessage(value) : Either.right(plain.message)
    if (Either.isLeft(message)) return send(exchange, 400, message.left)
    // This server issues no sessions, so the id is another server's and the client must initialize again.
    if (headers["mcp-session-id"] !== undefined) {
      return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
    }
    const toolsets = readToolsets(exchange, listing)
    if (Either.isLeft(toolsets)) {
      return send(exchange, 400, JsonRpc.error(JsonRpc.invalidParams, toolsets.left, JsonRpc.findId(value)))
    }
    const view = { toolsets: toolsets.right, scopes: caller?.scopes }
    const context = toContext(exchange, shared)
    if (plain !== undefined && listing?.direct(exchange, plain, view, context) === true) return
    return answerByLibrary(ask, exchange, message.right, { context, toolsets: view.toolsets }).then((answer) =>
      listing !== undefined && "method" in message.right && message.right.method === "tools/list"
        ? relayList(exchange, answer, Buffer.from(`"tools":${listing.tools(view)}`))
        : relay(exchange, answer),
    )
  }

/**
 * MCP over HTTP: the streamable transport for all revisions, without sessions, and the deprecated pair of event stream
 * and messages. Failures outside a message are JSON-RPC errors.
 */
export const serve = (
  makeServer: Server.MakeServer,
  { baseUrl, allowedHosts = [], legacySse = true, streams = {}, context: shared }: Options,
  listing?: Listing,
): Effect.Effect<Mount, never, Keyring | RateLimits | Scope | PlatformCrypto> =>
  Effect.gen(function* () {
    const { guarded, whenDone } = makeRunner(yield* Effect.runtime<never>())
    const { callerOf, admitted } = makeAdmission(yield* authentication, yield* RateLimits)
    const { fetch: ask, close } = createMcpHandler(listing?.makeServer ?? makeServer, {
      onerror: yield* Server.makeErrorLog,
    })
    yield* Effect.addFinalizer(() => Effect.promise(close))
    const names = hostnames(baseUrl, allowedHosts)
    const messagesPath = new URL(baseUrl).pathname.replace(/\/$/, "") + paths.messages
    const sse = Sse.make(makeServer, messagesPath, { ...Sse.defaultBounds, ...streams })

    const streamable = answerStreamable(ask, shared, listing)
    const messages: AnswerMessage = (exchange, value, caller) => {
      const message = JsonRpc.toMessage(value)
      return Either.isLeft(message)
        ? send(exchange, 400, message.left)
        : sse.post(exchange, { message: message.right, keyId: caller?.keyId, context: toContext(exchange, shared) })
    }

    /** Parses a POST's JSON and passes it to `then`. */
    const handlePost = (exchange: Exchange, then: AnswerMessage): Completion => {
      const { request } = exchange
      if (!isJsonContentType(request.headers["content-type"] ?? null)) {
        const body = JsonRpc.error(JsonRpc.serverError, "Content-Type must be application/json.")
        return replyUnread(exchange, 415, body)
      }
      whenDone(exchange, admitted(exchange), (caller) =>
        whenDone(exchange, exchange.body, (body) => {
          const value = JsonRpc.parseJson(body)
          return Either.isLeft(value) ? send(exchange, 400, value.left) : then(exchange, value.right, caller)
        }),
      )
    }

    const answer = (exchange: Exchange): Completion => {
      if (!admit(exchange, names)) return
      const { path, request } = exchange
      const method = path === paths.events ? "GET" : "POST"
      if (request.method !== method) return refuseMethod(exchange, method)
      if (path !== paths.events) return handlePost(exchange, path === paths.streamable ? streamable : messages)
      whenDone(exchange, callerOf(exchange), ({ keyId }) => {
        const toolsets = readToolsets(exchange, listing)
        return Either.isLeft(toolsets)
          ? replyUnread(exchange, 400, JsonRpc.error(JsonRpc.invalidParams, toolsets.left))
          : sse.open(exchange, keyId, toolsets.right)
      })
    }

    return {
      paths: new Set(legacySse ? Object.values(paths) : [paths.streamable]),
      onRequest: (exchange) => guarded(exchange, () => answer(exchange)),
      onRefused: refuseFailure,
      onDrain: sse.drain,
    }
  })

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
    const tools = yield* Tools.make(served, options.toolsets)
    const resources = yield* Resources.make(served, tools.entries, options)
    const lists = Direct.makeLists(tools.entries)
    return yield* serve(yield* Server.make(tools, { answerMs, resources }), options, {
      makeServer: yield* Server.make(tools, { answerMs, resources, isListed: false }),
      toolsets: Toolsets.names(tools.entries),
      tools: lists.json,
      direct: Direct.make(tools, lists, yield* Calls.make(answerMs)),
    })
  })

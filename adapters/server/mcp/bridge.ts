import { SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import { prefixes } from "../../../core/account/ApiKey.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { paths, selection } from "../../describe/tools/protocol.ts"
import * as JsonRpc from "./jsonRpc.ts"

export interface Options extends JsonRpc.Streams {
  /** The server's base URL, with or without the path of MCP. */
  readonly baseUrl: string
  /** `Authorization` value of every request. */
  readonly authorization: string | undefined
  /** The toolsets to ask for; none named: all. */
  readonly toolsets?: ReadonlyArray<string>
  /** Sends requests; default: the platform's. */
  readonly fetch?: typeof globalThis.fetch
  /** Longest time without a message from the server while a request waits, milliseconds. */
  readonly maxSilenceMs?: number
}

/** A server's own limit for an answer. */
const defaultMaxSilenceMs = 30_000

/** The MCP endpoint of a server. */
export const mcpUrl = ({ baseUrl, toolsets = [] }: Pick<Options, "baseUrl" | "toolsets">): URL => {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith(paths.streamable) ? path : path + paths.streamable
  if (toolsets.length > 0) url.searchParams.set(selection, toolsets.join())
  return url
}

interface Refusal {
  readonly code: number
  readonly message: string
}

const refusal = (message: string): Refusal => ({ code: JsonRpc.serverError, message })

const notServer = "Is it the address of a market-signals server?"
const setKey = "Set MARKET_SIGNALS_KEY in the client's configuration."

const advice: Readonly<Record<number, string>> = { 401: setKey, 403: setKey, 404: notServer, 405: notServer }

/** The JSON-RPC error in the body of a refused request. */
const findError = (text: unknown): Refusal | undefined => {
  const message = typeof text === "string" ? JsonRpc.parse(Buffer.from(text)) : undefined
  return message !== undefined && Either.isRight(message) && "error" in message.right ? message.right.error : undefined
}

/** The innermost cause of a failed connection, such as `ECONNREFUSED`. */
const findCause = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return findCause(error.cause)
  return "code" in error && typeof error.code === "string" ? error.code : error.message
}

/** Causes of a connection that was never made, so that nothing was sent. */
const unreachedPattern =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL/

/**
 * Why a request has no answer, for the person who configured the client.
 *
 * @param error of the HTTP transport
 * @param at the endpoint
 * @param after added to the message if the request may have arrived
 */
const explain = (error: unknown, at: string, after = ""): Refusal => {
  if (error instanceof SdkHttpError) {
    const { status, text } = error.data
    const redirect = /Redirect [^(]*[^( ]/.exec(error.message)?.[0]
    if (status >= 300 && status < 400)
      return refusal(`${at} answered ${status}. ${redirect === undefined ? notServer : `${redirect}.`}`)
    return findError(text) ?? refusal(`${at} answered ${status}. ${advice[status] ?? "Try again later."}`)
  }
  if (!(error instanceof Error)) return refusal(`${at} failed: ${error}`)
  if ("code" in error && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return refusal(`${at} answered without JSON. ${notServer}`)
  }
  if (error.name === "ZodError" || error.name === "SyntaxError") {
    return refusal(`${at} answered with JSON that is not a message of MCP. ${notServer}`)
  }
  const cause = findCause(error)
  return unreachedPattern.test(cause)
    ? refusal(`Cannot reach ${at}: ${cause}.`)
    : refusal(`The connection to ${at} broke before the answer: ${cause}.${after}`)
}

const mayBeCharged = " A paid call may have been charged; with an idempotency_key its repetition is free."

type Id = string | number

/** A request that the server has not answered. */
interface Pending {
  readonly stream: AbortController
  /** Absent: a subscription, which may wait for ever. */
  readonly timer: NodeJS.Timeout | undefined
}

/** Passes messages to a server and back, unchanged. A request that the server does not answer is answered with an error. */
const make = (options: Options, log: (message: string) => void) => {
  const { output, authorization, maxSilenceMs: silentMs = defaultMaxSilenceMs } = options
  const url = mcpUrl(options)
  const endpoint = url.origin + url.pathname
  const remote = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: authorization === undefined ? {} : { authorization } },
    ...ifDefined("fetch", options.fetch),
  })
  const pending = new Map<Id, Pending>()
  let onIdle: () => void = () => undefined
  /** Whether the server has an answer to give; a subscription needs none. */
  const owesAnswer = () => [...pending.values()].some(({ timer }) => timer !== undefined)

  const write = (text: string): void => void output.write(`${text}\n`)

  const end = (id: Id): Pending | undefined => {
    const request = pending.get(id)
    clearTimeout(request?.timer)
    pending.delete(id)
    if (!owesAnswer()) onIdle()
    return request
  }

  /** Leaves a request. Over HTTP that cancels it. */
  const cancel = (id: Id): void => end(id)?.stream.abort()

  const refuse = (id: Id, { code, message }: Refusal): void => {
    if (!pending.has(id)) return
    cancel(id)
    log(message)
    write(JsonRpc.error(code, message, id))
  }

  const ask = async (message: JsonRpc.Message, id: Id, method: string): Promise<void> => {
    const stream = new AbortController()
    const isFree = method !== "tools/call" || authorization?.startsWith(`Bearer ${prefixes.test}`)
    const after = isFree ? "" : mayBeCharged
    const silent = () => refuse(id, refusal(`${endpoint} did not answer in ${silentMs / 1_000} s.${after}`))
    // A subscription is silent until there is news.
    const timer = method === "subscriptions/listen" ? undefined : setTimeout(silent, silentMs)
    pending.set(id, { stream, timer })
    try {
      await remote.send(message, {
        requestSignal: stream.signal,
        onRequestStreamEnd: () => refuse(id, explain(new Error("the stream ended"), endpoint, after)),
      })
    } catch (error) {
      refuse(id, explain(error, endpoint, after))
    }
  }

  remote.onmessage = (message) => {
    if (JsonRpc.isAnswer(message)) {
      // The client has cancelled it.
      if (end(message.id) === undefined) return
      const version = "result" in message && message.result["protocolVersion"]
      if (typeof version === "string") remote.setProtocolVersion(version)
    } else for (const { timer } of pending.values()) timer?.refresh()
    write(JSON.stringify(message))
  }

  return {
    start: () => remote.start(),
    forward: (message: JsonRpc.Message): void => {
      if ("method" in message && "id" in message) return void ask(message, message.id as Id, message.method)
      const cancelled = JsonRpc.findCancelledId(message) as Id | undefined
      if (cancelled !== undefined) cancel(cancelled)
      // Without a session the server does not know which request is meant.
      if (cancelled !== undefined && remote.sessionId === undefined) return
      remote.send(message).catch((error) => log(explain(error, endpoint).message))
    },
    /** Resolves when every request has been answered or refused. */
    whenIdle: (): Promise<void> =>
      new Promise((resolve) => {
        onIdle = resolve
        if (!owesAnswer()) resolve()
      }),
    close: async (): Promise<void> => {
      for (const id of [...pending.keys()]) cancel(id)
      await remote.close()
    },
  }
}

/** Connects a client on stdio to a remote server over streamable HTTP, until the client closes its input and has its answers. */
export const serve = (options: Options): Effect.Effect<void> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const log = (message: string) => void Runtime.runFork(runtime)(Effect.logWarning(message))
    const bridge = yield* Effect.acquireRelease(
      Effect.sync(() => make(options, log)),
      ({ close }) => Effect.promise(close),
    )
    yield* Effect.async<void>((resume) => {
      const run = async () => {
        await bridge.start()
        for await (const message of JsonRpc.readMessages(options)) bridge.forward(message)
        // `printf … | market-signals mcp --url …` closes its end at once.
        await bridge.whenIdle()
      }
      run().then(
        () => resume(Effect.void),
        (defect) => resume(Effect.die(defect)),
      )
    })
  }).pipe(Effect.scoped)

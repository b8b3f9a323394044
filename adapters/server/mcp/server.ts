import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Scope } from "effect/Scope"
import type { Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { authentication } from "../../../core/gateway/access.ts"
import type { RequestContext } from "../../../core/gateway/Call.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import * as LogThrottle from "../../../core/gateway/logThrottle.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { prompts } from "../../describe/tools/prompts.ts"
import { capabilities, identity, instructions } from "../../describe/tools/protocol.ts"
import type * as ToolList from "../../describe/tools/tools.ts"
import * as Toolsets from "../../describe/tools/toolsets.ts"
import * as Calls from "./calls.ts"
import { type Resources, schemaTemplate } from "./resources.ts"
import * as Tools from "./tools.ts"

/** Makes a protocol server for one connection, or for one request over a stateless transport. */
export type MakeServer = () => Server

/** A message's context, passed from its transport to its handler. */
export interface MessageContext {
  readonly context: RequestContext
  /** The toolsets that its connection selected; absent: all. */
  readonly toolsets?: ReadonlySet<string> | undefined
}

/** The context in the form that the library passes from transport to handler unchanged. */
export const toAuthInfo = (carried: MessageContext) => ({ token: "", clientId: "", scopes: [], extra: { carried } })

const fromAuthInfo = ({ http }: ServerContext): MessageContext | undefined =>
  http?.authInfo?.extra?.["carried"] as MessageContext | undefined

/** Time for which clients may cache lists and resources, milliseconds: most change only with the server's version. */
const ttlMs = 300_000
/** Cache hints. The tool list depends on the key's scopes. */
export const [privateHint, publicHint] = [
  { ttlMs, cacheScope: "private" },
  { ttlMs, cacheScope: "public" },
] as const

/** Interval of notifications of progress, milliseconds. */
const progressMs = 1_000

/** Most errors of the MCP library are caused by clients, which must not fill the log. */
const errorLogPauseMs = 60_000

/** Logs errors of the MCP library: the first at once, then one a minute with the number suppressed. */
export const makeErrorLog: Effect.Effect<(error: Error) => void> = Effect.map(Effect.runtime<never>(), (runtime) => {
  const throttle = LogThrottle.make(errorLogPauseMs)
  const logged = (error: Error): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const suppressed = throttle("library", now)
      if (suppressed === undefined) return Effect.void
      return Effect.annotateLogs(Effect.logWarning("MCP library error", error), suppressed === 0 ? {} : { suppressed })
    })
  return (error) => void Runtime.runFork(runtime)(logged(error))
})

/** Tells a client that asked for progress, once a second, that its call is still running. @returns a function that stops it */
const reportProgress = (progressToken: string | number | undefined, { mcpReq }: ServerContext): (() => void) => {
  if (progressToken === undefined) return () => undefined
  let progress = 0
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message: "Waiting for the answer." }
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => clearInterval(timer))
  }, progressMs)
  return () => clearInterval(timer)
}

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

const getPrompt = (name: string, given: Readonly<Record<string, string>>) => {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) {
    throw invalidParams(
      `Unknown prompt ${JSON.stringify(name)}. Prompts: ${prompts.map((one) => one.name).join(", ")}.`,
    )
  }
  const lacking = prompt.arguments.find((one) => one.required === true && (given[one.name] ?? "").trim() === "")
  if (lacking !== undefined) throw invalidParams(`${name} needs the argument ${lacking.name}: ${lacking.description}`)
  const text = { type: "text", text: prompt.text(given) } as const
  return { description: prompt.description, messages: [{ role: "user" as const, content: text }] }
}

export interface Options {
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
  readonly resources: Resources
  /** The context of calls whose transport passes none with the message. */
  readonly context?: RequestContext
  /** False: the transport fills in the tool list. */
  readonly isListed?: boolean
}

/** The library sends no answer to a call that its client has cancelled. */
const makeRunner =
  (finish: Effect.Effect.Success<ReturnType<typeof Calls.make>>, tools: Tools.Tools) =>
  (call: Effect.Effect<Served>, entry: ToolList.Entry, signal: AbortSignal): Promise<Tools.Result> =>
    new Promise((resolve) => {
      const onCancel = (interrupt: () => void) => {
        signal.addEventListener("abort", interrupt, { once: true })
        if (signal.aborted) interrupt()
        return () => signal.removeEventListener("abort", interrupt)
      }
      finish(call, onCancel, (served) => resolve(Tools.toResult(served, entry, tools.inTools(served, entry.tool.name))))
    })

const emptyServer = () =>
  new Server(identity, {
    capabilities,
    instructions,
    cacheHints: {
      "tools/list": privateHint,
      "resources/list": publicHint,
      "resources/templates/list": publicHint,
      "resources/read": publicHint,
      "prompts/list": publicHint,
    },
  })

/**
 * Makes MCP servers over the gateway. Cancelling a request, or exceeding `answerMs`, interrupts its call, which costs
 * nothing unless the charge has begun. The scope's end interrupts all calls.
 */
export const make = (
  tools: Tools.Tools,
  { answerMs, resources, context = { authorization: undefined }, isListed = true }: Options,
): Effect.Effect<MakeServer, never, Gateway | Keyring | PlatformCrypto | Scope> =>
  Effect.gen(function* () {
    const run = makeRunner(yield* Calls.make(answerMs), tools)
    const authenticate = yield* authentication
    const byName = new Map(tools.entries.map((entry) => [entry.tool.name, entry]))
    const runtime = yield* Effect.runtime<never>()

    /** The scopes that limit the list: without a valid key all tools are listed. */
    const findScopes = ({ authorization }: RequestContext): Effect.Effect<ReadonlyArray<string> | undefined> =>
      authorization === undefined
        ? Effect.succeed(undefined)
        : Effect.match(authenticate(authorization), { onFailure: () => undefined, onSuccess: ({ scopes }) => scopes })

    const listTools = ({ context, toolsets }: MessageContext): Effect.Effect<Array<ToolList.Tool>> =>
      Effect.map(findScopes(context), (scopes) =>
        tools.entries.filter((entry) => Toolsets.isListed(entry, { toolsets, scopes })).map(({ tool }) => tool),
      )

    /** Calls a tool. The gateway refuses one that the key's scopes do not allow. */
    const callTool = (
      name: string,
      args: Readonly<Record<string, unknown>>,
      { context, toolsets }: MessageContext,
      signal: AbortSignal,
    ) => {
      const entry = byName.get(name)
      const call = entry && tools.call(name, args, context)
      if (entry === undefined || call === undefined) {
        throw invalidParams(`Unknown tool ${JSON.stringify(name)}. Call tools/list.`)
      }
      if (!Toolsets.isSelected(entry, { toolsets })) {
        throw invalidParams(`${name} is in the toolset ${entry.toolset}, which this connection did not select.`)
      }
      return run(call, entry, signal)
    }

    return () => {
      const server = emptyServer()
      server.setRequestHandler("tools/list", async (_, about) => ({
        tools: isListed ? await Runtime.runPromise(runtime)(listTools(fromAuthInfo(about) ?? { context })) : [],
      }))
      server.setRequestHandler("tools/call", async ({ params }, about) => {
        const carried = fromAuthInfo(about) ?? { context }
        const paying = { ...carried, context: { ...carried.context, ...Tools.readPayment(params._meta) } }
        const answer = callTool(params.name, params.arguments ?? {}, paying, about.mcpReq.signal)
        return answer.finally(reportProgress(params._meta?.progressToken, about))
      })
      server.setRequestHandler("prompts/list", () => ({
        prompts: prompts.map(({ text: _, arguments: given, ...listed }) => ({ ...listed, arguments: [...given] })),
      }))
      server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }) => getPrompt(name, given))
      server.setRequestHandler("resources/list", () => ({ resources: [...resources.list] }))
      server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [schemaTemplate] }))
      server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
        const resource = resources.read(uri)
        if (resource === undefined) throw new ResourceNotFoundError(uri)
        return { contents: [await Runtime.runPromise(runtime)(resource)] }
      })
      return server
    }
  })

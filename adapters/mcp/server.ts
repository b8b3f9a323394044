import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type { Scope } from "effect/Scope"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { fail } from "../../core/Failure.ts"
import type { RequestContext } from "../../core/gateway/Call.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { capabilities, identity, instructions } from "./protocol.ts"
import * as Tools from "./tools.ts"

/** Makes a protocol server for one connection, or for one request over a stateless transport. */
export type MakeServer = () => Server

/** Our call context in the form that the library passes from transport to handler unchanged. */
export const carrying = (context: RequestContext) => ({ token: "", clientId: "", scopes: [], extra: { context } })

export const nobody: RequestContext = { authorization: undefined }

const carried = ({ http }: ServerContext): RequestContext | undefined =>
  http?.authInfo?.extra?.["context"] as RequestContext | undefined

/** Time for which clients may cache the tool list, milliseconds: it changes only with the server's version. */
const listTtl = 300_000

/**
 * Makes MCP servers over the gateway. Cancelling a request, or exceeding `answerMs`, interrupts its call, which costs
 * nothing unless the charge has begun. The scope's end interrupts all calls.
 *
 * @param context of calls whose transport passes none with the message
 * @param isListed false: the transport fills in the tool list
 */
export const make = (
  catalogue: Catalogue.Any,
  answerMs: number,
  context: RequestContext = nobody,
  isListed = true,
): Effect.Effect<MakeServer, never, Gateway | Scope> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    const tools = yield* Tools.make(catalogue)
    const listed: ListToolsResult = { tools: isListed ? [...tools.list] : [] }
    // Uninterruptible by default: the gateway marks where a call may be interrupted, so that no charged answer is lost.
    const runtime = yield* Effect.runtime<never>()
    const fork = Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.Interruption))
    const running = new Set<Fiber.RuntimeFiber<Tools.Result>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    const late = Effect.map(gateway.errorReply(fail("request_timeout")), Tools.resultOf)

    const run = (call: Effect.Effect<Tools.Result>, signal: AbortSignal): Promise<Tools.Result> =>
      new Promise((resolve, reject) => {
        const fiber = fork(call)
        running.add(fiber)
        const interrupt = () => void fork(Fiber.interruptFork(fiber))
        const timer = setTimeout(interrupt, answerMs)
        signal.addEventListener("abort", interrupt, { once: true })
        if (signal.aborted) interrupt()
        fiber.addObserver((exit) => {
          running.delete(fiber)
          clearTimeout(timer)
          signal.removeEventListener("abort", interrupt)
          if (exit._tag === "Success") resolve(exit.value)
          // The library sends no answer to a call that its client has cancelled.
          else Runtime.runPromise(runtime)(late).then(resolve, reject)
        })
      })

    return () => {
      const server = new Server(identity, {
        capabilities,
        instructions,
        cacheHints: { "tools/list": { ttlMs: listTtl, cacheScope: "public" } },
      })
      server.setRequestHandler("tools/list", () => listed)
      server.setRequestHandler("tools/call", async ({ params }, about) => {
        const call = tools.call(params.name, params.arguments ?? {}, carried(about) ?? context)
        if (call === undefined) {
          const message = `Unknown tool ${JSON.stringify(params.name)}. Call tools/list.`
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
        }
        return run(call, about.mcpReq.signal)
      })
      return server
    }
  })

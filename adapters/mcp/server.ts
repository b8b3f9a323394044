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

/** A protocol server for one connection, or for one request where there are no connections. */
export type MakeServer = () => Server

/** What the library carries from a transport to a handler untouched: our own context of a call. */
export const carrying = (context: RequestContext) => ({ token: "", clientId: "", scopes: [], extra: { context } })

export const nobody: RequestContext = { authorization: undefined }

const carried = ({ http }: ServerContext): RequestContext | undefined =>
  http?.authInfo?.extra?.["context"] as RequestContext | undefined

/** How long clients may keep the list of tools, milliseconds: it changes with a new version of the server. */
const listTtl = 300_000

/**
 * Makes protocol servers over the gateway. A request that its client cancels, or that takes longer than `answerMs`,
 * interrupts its call, which costs nothing unless the charge has begun. Calls end with the scope.
 *
 * @param context whose calls these are, where a transport does not say it with every message
 * @param isListed whether the list of tools has them, or is filled by the transport
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
    // Where a call can be interrupted is the gateway's to say: an answer whose charge has begun must not be lost.
    const runtime = yield* Effect.runtime<never>()
    const fork = Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.Interruption))
    const running = new Set<Fiber.RuntimeFiber<Tools.Result>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    const late = Effect.map(gateway.refuse(fail("request_timeout")), Tools.resultOf)

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
          // Of a call that was cut off by its client the library sends nothing.
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
          const message = `There is no tool ${JSON.stringify(params.name)}; tools/list names every one.`
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
        }
        return run(call, about.mcpReq.signal)
      })
      return server
    }
  })

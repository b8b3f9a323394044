import { Readable } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Effect from "effect/Effect"
import type { Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { KeyPlace } from "../../../core/gateway/Call.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { resourceUris } from "../../describe/tools/protocol.ts"
import * as Toolsets from "../../describe/tools/toolsets.ts"
import { defaultLimits } from "../http/listener.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as Resources from "./resources.ts"
import * as Server from "./server.ts"
import * as Tools from "./tools.ts"

export interface Options extends Resources.Site, JsonRpc.Streams {
  /** `Authorization` value of every call. */
  readonly authorization: string | undefined
  /** Where the client sets it; absent: hints name the header. */
  readonly keyPlace?: KeyPlace
  /** False: nothing may listen at the base URL, so that errors refer to the resource of all codes. */
  readonly hasPages?: boolean
  /** Longest time for an answer, milliseconds. */
  readonly answerMs?: number
  /** The served toolsets; none named: all. */
  readonly toolsets?: ReadonlyArray<string>
}

async function* textOf(messages: AsyncIterable<JsonRpc.Message>): AsyncGenerator<string> {
  for await (const message of messages) yield `${JSON.stringify(message)}\n`
}

/** Serves one client until it closes its input stream. */
export const serve = (
  catalogue: Catalogue.Any,
  options: Options,
): Effect.Effect<void, never, Gateway | Keyring | PlatformCrypto> =>
  Effect.scoped(
    Effect.gen(function* () {
      const onerror = yield* Server.libraryErrors
      const { authorization, keyPlace, hasPages = true, answerMs = defaultLimits.answerMs } = options
      const served = Toolsets.narrow(catalogue, options.toolsets)
      const resources = yield* Resources.make(served, options)
      const makeServer = yield* Server.make(yield* Tools.make(served), {
        answerMs,
        resources,
        context: {
          authorization,
          ...ifDefined("keyPlace", keyPlace),
          ...(hasPages ? {} : { errorsUrl: resourceUris.errors }),
        },
      })
      yield* Effect.async<void>((resume) => {
        const transport = new StdioServerTransport(
          Readable.from(textOf(JsonRpc.readMessages(options)), { objectMode: false }),
          options.output,
        )
        const handle = serveStdio(makeServer, { transport, onerror })
        const closed = transport.onclose
        transport.onclose = () => {
          closed?.()
          resume(Effect.void)
        }
        return Effect.promise(() => handle.close())
      })
    }),
  )

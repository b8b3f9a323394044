import { Readable, type Writable } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import { defaultLimits } from "../http/listener.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as LibraryErrors from "./libraryErrors.ts"
import * as Resources from "./resources.ts"
import * as Server from "./server.ts"
import * as Tools from "./tools.ts"
import * as Toolsets from "./toolsets.ts"

export interface Options extends Resources.Site {
  readonly input: Readable
  /** Receives messages and nothing else. */
  readonly output: Writable
  /** `Authorization` value of every call. */
  readonly authorization: string | undefined
  /** Longest time for an answer, milliseconds. */
  readonly answerMs?: number
  /** The served toolsets; none named: all. */
  readonly toolsets?: ReadonlyArray<string>
}

const newline = 0x0a

/** The lines of a stream. A line over `most` bytes is dropped and yields undefined. */
async function* linesOf(input: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer | undefined> {
  let parts: Array<Buffer> = []
  let size = 0
  for await (const chunk of input) {
    let rest = chunk
    for (let at = rest.indexOf(newline); at !== -1; at = rest.indexOf(newline)) {
      size += at
      yield size > most ? undefined : Buffer.concat([...parts, rest.subarray(0, at)])
      parts = []
      size = 0
      rest = rest.subarray(at + 1)
    }
    size += rest.length
    if (size > most) parts = []
    else if (rest.length > 0) parts.push(rest)
  }
}

const tooLong = JsonRpc.error(
  JsonRpc.serverError,
  `A message is limited to ${defaultLimits.body.toLocaleString("en-US")} bytes.`,
)

/** Passes valid messages on, one per line, and answers the others with an error; the library would ignore them. */
async function* messagesOf({ input, output }: Options): AsyncGenerator<string> {
  for await (const line of linesOf(input, defaultLimits.body)) {
    if (line !== undefined && line.toString("latin1").trim() === "") continue
    const message = line === undefined ? Either.left(tooLong) : JsonRpc.parse(line)
    if (Either.isLeft(message)) output.write(`${message.left}\n`)
    else yield `${JSON.stringify(message.right)}\n`
  }
}

/** Serves one client until it closes its input stream. */
export const serve = (
  catalogue: Catalogue.Any,
  options: Options,
): Effect.Effect<void, never, Gateway | Keyring | PlatformCrypto> =>
  Effect.scoped(
    Effect.gen(function* () {
      const onerror = yield* LibraryErrors.make
      const { authorization, answerMs = defaultLimits.answerMs } = options
      const served = Toolsets.narrow(catalogue, options.toolsets)
      const resources = yield* Resources.make(served, options)
      const makeServer = yield* Server.make(yield* Tools.make(served), {
        answerMs,
        resources,
        context: { authorization },
      })
      yield* Effect.async<void>((resume) => {
        const transport = new StdioServerTransport(
          Readable.from(messagesOf(options), { objectMode: false }),
          options.output,
        )
        const handle = serveStdio(makeServer, {
          transport,
          onerror,
        })
        const closed = transport.onclose
        transport.onclose = () => {
          closed?.()
          resume(Effect.void)
        }
        return Effect.promise(() => handle.close())
      })
    }),
  )

import { Readable, type Writable } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import { defaultLimits } from "../http/listener.ts"
import * as JsonRpc from "./jsonRpc.ts"
import * as LibraryErrors from "./libraryErrors.ts"
import * as Server from "./server.ts"

export interface Options {
  readonly input: Readable
  /** Nothing but messages is written here. */
  readonly output: Writable
  /** The value that an `Authorization` header would have; every call is its. */
  readonly authorization: string | undefined
  /** Longest time for an answer, milliseconds. */
  readonly answerMs?: number
}

const newline = 0x0a

/** The lines of a stream without their ends. One that is longer than `most` bytes comes as undefined, and is not kept. */
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

const tooLong = JsonRpc.error(JsonRpc.serverError, `A message may hold ${defaultLimits.body} bytes.`)

/** Lets whole messages through, one a line, and answers whatever else comes. The library would pass over it. */
async function* messagesOf({ input, output }: Options): AsyncGenerator<string> {
  for await (const line of linesOf(input, defaultLimits.body)) {
    if (line !== undefined && line.toString("latin1").trim() === "") continue
    const message = line === undefined ? Either.left(tooLong) : JsonRpc.parse(line)
    if (Either.isLeft(message)) output.write(`${message.left}\n`)
    else yield `${JSON.stringify(message.right)}\n`
  }
}

/** Serves one client over a pair of streams until it closes its end. */
export const serve = (catalogue: Catalogue.Any, options: Options): Effect.Effect<void, never, Gateway> =>
  Effect.scoped(
    Effect.gen(function* () {
      const onerror = yield* LibraryErrors.make
      const { authorization, answerMs = defaultLimits.answerMs } = options
      const makeServer = yield* Server.make(catalogue, answerMs, { authorization })
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

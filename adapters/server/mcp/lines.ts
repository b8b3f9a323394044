import type { Readable, Writable } from "node:stream"
import * as Either from "effect/Either"
import { defaultLimits } from "../http/listener.ts"
import * as JsonRpc from "./jsonRpc.ts"

/** The two ends of a client. */
export interface Streams {
  readonly input: Readable
  /** Receives messages and nothing else. */
  readonly output: Writable
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

/** A client's valid messages. The others are answered with an error; the library would ignore them. */
export async function* messagesOf({ input, output }: Streams): AsyncGenerator<JsonRpc.Message> {
  for await (const line of linesOf(input, defaultLimits.body)) {
    if (line !== undefined && line.toString("latin1").trim() === "") continue
    const message = line === undefined ? Either.left(tooLong) : JsonRpc.parse(line)
    if (Either.isLeft(message)) output.write(`${message.left}\n`)
    else yield message.right
  }
}

import type { Readable, Writable } from "node:stream"
import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server"
import * as Either from "effect/Either"
import { count } from "../../../core/text.ts"
import * as Body from "../http/body.ts"

export type Message = JSONRPCMessage

/** JSON-RPC's code for server-defined errors, here for failures outside a message. */
export const serverError = -32_000
/** Unknown session id. */
export const sessionNotFound = -32_001

export const internalError: number = ProtocolErrorCode.InternalError
export const invalidParams: number = ProtocolErrorCode.InvalidParams

/** A JSON-RPC error; `id` is null if the message has none. */
export const error = (code: number, message: string, id: string | number | null = null): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id })

/** The id of a message; null if it has none. */
export const findId = (value: unknown): string | number | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null
  return typeof id === "string" || typeof id === "number" ? id : null
}

export const isAnswer = (message: Message): message is Message & { readonly id: string | number } =>
  "id" in message && !("method" in message)

export const findCancelledId = (message: Message): unknown =>
  "method" in message && message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined

/** Parses the JSON of one message; Left is the JSON-RPC error. */
export const parseJson = (bytes: Uint8Array): Either.Either<unknown, string> => {
  const json = Body.parseJson(bytes)
  if (Either.isLeft(json)) {
    return Either.left(
      json.left === "too deep"
        ? error(ProtocolErrorCode.InvalidRequest, `A message may nest at most ${Body.maxDepth} levels.`)
        : error(ProtocolErrorCode.ParseError, "The message is not JSON in UTF-8."),
    )
  }
  return Array.isArray(json.right)
    ? Either.left(error(ProtocolErrorCode.InvalidRequest, "Batches are not supported: send one message per request."))
    : json
}

/** A parsed value as a message; Left is the JSON-RPC error. */
export const toMessage = (value: unknown): Either.Either<Message, string> => {
  try {
    return Either.right(parseJSONRPCMessage(value))
  } catch {
    return Either.left(error(ProtocolErrorCode.InvalidRequest, "The message is not JSON-RPC 2.0.", findId(value)))
  }
}

/** Parses one message; Left is the JSON-RPC error. */
export const parse = (bytes: Uint8Array): Either.Either<Message, string> => Either.flatMap(parseJson(bytes), toMessage)

/** The two ends of a client. */
export interface Streams {
  readonly input: Readable
  /** Receives messages and nothing else. */
  readonly output: Writable
}

const newline = 0x0a

/** The lines of a stream. A line over `most` bytes is dropped and yields undefined. */
async function* readLines(input: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer | undefined> {
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

const tooLong = error(serverError, `A message is limited to ${count(Body.maxBodyBytes)} bytes.`)

/** A client's valid messages. The others are answered with an error; the library would ignore them. */
export async function* readMessages({ input, output }: Streams): AsyncGenerator<Message> {
  for await (const line of readLines(input, Body.maxBodyBytes)) {
    if (line !== undefined && line.toString("latin1").trim() === "") continue
    const message = line === undefined ? Either.left(tooLong) : parse(line)
    if (Either.isLeft(message)) output.write(`${message.left}\n`)
    else yield message.right
  }
}

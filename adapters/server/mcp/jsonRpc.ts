import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server"
import * as Either from "effect/Either"
import * as Json from "../http/json.ts"

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
export const idOf = (value: unknown): string | number | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** Whether a message answers a request. */
export const isAnswer = (message: Message): message is Message & { readonly id: string | number } =>
  "id" in message && !("method" in message)

/** Id of the request that a message cancels. */
export const cancelled = (message: Message): unknown =>
  "method" in message && message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined

/** Parses the JSON of one message; Left is the JSON-RPC error. */
export const read = (bytes: Uint8Array): Either.Either<unknown, string> => {
  const json = Json.parse(bytes)
  if (Either.isLeft(json)) {
    return Either.left(
      json.left === "too deep"
        ? error(ProtocolErrorCode.InvalidRequest, `A message may nest at most ${Json.deepest} levels.`)
        : error(ProtocolErrorCode.ParseError, "The message is not JSON in UTF-8."),
    )
  }
  return Array.isArray(json.right)
    ? Either.left(error(ProtocolErrorCode.InvalidRequest, "Batches are not supported: send one message per request."))
    : json
}

/** A parsed value as a message; Left is the JSON-RPC error. */
export const messageOf = (value: unknown): Either.Either<Message, string> => {
  try {
    return Either.right(parseJSONRPCMessage(value))
  } catch {
    return Either.left(error(ProtocolErrorCode.InvalidRequest, "The message is not JSON-RPC 2.0.", idOf(value)))
  }
}

/** Parses one message; Left is the JSON-RPC error. */
export const parse = (bytes: Uint8Array): Either.Either<Message, string> => Either.flatMap(read(bytes), messageOf)

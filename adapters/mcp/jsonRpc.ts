import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server"
import * as Either from "effect/Either"
import * as Json from "../http/json.ts"

export type Message = JSONRPCMessage

/** What JSON-RPC leaves to servers: everything that is wrong with a request around its message. */
export const serverError = -32_000
/** The session that a request names is not one of ours. */
export const sessionNotFound = -32_001

export const internalError: number = ProtocolErrorCode.InternalError

/** An error in the form of the protocol; without an id where the message that caused it has none to name. */
export const error = (code: number, message: string, id: string | number | null = null): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id })

const idOf = (value: unknown): string | number | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** Reads one message, or says in the form of the protocol why it is none. */
export const parse = (bytes: Uint8Array): Either.Either<Message, string> => {
  const read = Json.parse(bytes)
  if (Either.isLeft(read)) {
    return Either.left(
      read.left === "too deep"
        ? error(ProtocolErrorCode.InvalidRequest, `A message may nest objects and arrays ${Json.deepest} deep.`)
        : error(ProtocolErrorCode.ParseError, "The message is not JSON in UTF-8."),
    )
  }
  const value = read.right
  if (Array.isArray(value)) {
    return Either.left(error(ProtocolErrorCode.InvalidRequest, "Batches are not served: send one message at a time."))
  }
  try {
    return Either.right(parseJSONRPCMessage(value))
  } catch {
    return Either.left(error(ProtocolErrorCode.InvalidRequest, "The message is not JSON-RPC 2.0.", idOf(value)))
  }
}

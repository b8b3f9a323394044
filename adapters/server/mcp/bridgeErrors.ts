import { SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client"
import * as Either from "effect/Either"
import * as JsonRpc from "./jsonRpc.ts"

export interface Refusal {
  readonly code: number
  readonly message: string
}

export const refusal = (message: string): Refusal => ({ code: JsonRpc.serverError, message })

const notServer = "Is it the address of a market-signals server?"
const setKey = "Set MARKET_SIGNALS_KEY in the client's configuration."

const advice: Readonly<Record<number, string>> = { 401: setKey, 403: setKey, 404: notServer, 405: notServer }

/** The JSON-RPC error in the body of a refused request. */
const errorIn = (text: unknown): Refusal | undefined => {
  const message = typeof text === "string" ? JsonRpc.parse(Buffer.from(text)) : undefined
  return message !== undefined && Either.isRight(message) && "error" in message.right ? message.right.error : undefined
}

/** The innermost cause of a failed connection, such as `ECONNREFUSED`. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return causeOf(error.cause)
  return "code" in error && typeof error.code === "string" ? error.code : error.message
}

/** Causes of a connection that was never made, so that nothing was sent. */
const unreached = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL/

/**
 * Why a request has no answer, for the person who configured the client.
 *
 * @param error of the HTTP transport
 * @param at the endpoint
 */
export const explain = (error: unknown, at: string): Refusal => {
  if (error instanceof SdkHttpError) {
    const { status, text } = error.data
    const redirect = /Redirect [^(]*[^( ]/.exec(error.message)?.[0]
    if (status >= 300 && status < 400)
      return refusal(`${at} answered ${status}. ${redirect === undefined ? notServer : `${redirect}.`}`)
    return errorIn(text) ?? refusal(`${at} answered ${status}. ${advice[status] ?? "Try again later."}`)
  }
  if (!(error instanceof Error)) return refusal(`${at} failed: ${error}`)
  if ("code" in error && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return refusal(`${at} answered without JSON. ${notServer}`)
  }
  if (error.name === "ZodError" || error.name === "SyntaxError") {
    return refusal(`${at} answered with JSON that is not a message of MCP. ${notServer}`)
  }
  const cause = causeOf(error)
  return unreached.test(cause)
    ? refusal(`Cannot reach ${at}: ${cause}.`)
    : refusal(
        `The connection to ${at} broke before the answer: ${cause}. A paid call may have been charged; with an idempotency_key its repetition is free.`,
      )
}

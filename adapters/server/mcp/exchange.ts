import { pipeline, Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server"
import type { Failure } from "../../../core/Failure.ts"
import type { Exchange } from "../http/listener.ts"
import * as Slices from "../http/slices.ts"
import * as JsonRpc from "./jsonRpc.ts"

/** Host names of the server, which are also the allowed origins of browsers. */
export const hostnames = (baseUrl: string, allowed: ReadonlyArray<string>): Array<string> => [
  ...localhostAllowedHostnames(),
  new URL(baseUrl).hostname,
  ...allowed,
]

const write = (
  { response, closeIfDraining }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): void => {
  if (response.destroyed || response.headersSent) return
  closeIfDraining(response)
  response.writeHead(status, headers)
  Slices.endWith(response, body)
}

/** Sends a response; without a body it is empty. */
export const send = (
  exchange: Exchange,
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string>> = {},
): void =>
  write(
    exchange,
    status,
    {
      ...(body.length === 0 ? {} : { "content-type": "application/json" }),
      // 204 has no Content-Length (RFC 9110, 8.6).
      ...(status === 204 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      ...headers,
    },
    body,
  )

const eventStream = {
  "cache-control": "no-cache, no-transform",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
}

/** Sends an event stream of one event. Bytes have their length announced, as the library's tool list has. */
export const sendEvent = (exchange: Exchange, event: string | Buffer): void =>
  write(
    exchange,
    200,
    typeof event === "string" ? eventStream : { ...eventStream, "content-length": String(event.length) },
    event,
  )

/** The same without reading the request's body: the connection closes after the answer. */
export const replyUnread = (
  exchange: Exchange,
  status: number,
  body: string,
  headers?: Record<string, string>,
): void => {
  exchange.response.shouldKeepAlive = false
  send(exchange, status, body, headers)
}

export const refuseFailure = (exchange: Exchange, { status, message, retryAfterMs }: Failure): void =>
  replyUnread(exchange, status, JsonRpc.error(JsonRpc.serverError, message), {
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
  })

export const relay = async (exchange: Exchange, answer: Response): Promise<void> => {
  const { response, closeIfDraining } = exchange
  if (answer.headers.get("content-type") !== "text/event-stream") {
    const allow = answer.headers.get("allow")
    return send(exchange, answer.status, await answer.text(), allow === null ? {} : { allow })
  }
  if (response.destroyed) return void answer.body?.cancel()
  closeIfDraining(response)
  // Node sets `connection`: a stream may be the last answer of its connection.
  answer.headers.delete("connection")
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  // The only error here is a disconnect.
  pipeline(Readable.fromWeb(answer.body as ReadableStream), response, () => {})
}

const emptyList = '"tools":[]'

/**
 * Sends the tool list in place of the empty one in the library's answer.
 * @param tools `"tools":` followed by the list, as JSON
 */
export const relayList = async (exchange: Exchange, answer: Response, tools: Buffer): Promise<void> => {
  const text = await answer.text()
  const index = text.indexOf(emptyList)
  const [before, after] = [text.slice(0, index), text.slice(index + emptyList.length)]
  const body = index === -1 ? text : Buffer.concat([Buffer.from(before), tools, Buffer.from(after)])
  answer.headers.delete("connection")
  const headers = { ...Object.fromEntries(answer.headers), "content-length": String(Buffer.byteLength(body)) }
  write(exchange, answer.status, headers, body)
}

/**
 * Rejects a request with a foreign Host (DNS rebinding) or a foreign Origin, so that web pages cannot reach a server on
 * their visitor's machine. Programs other than browsers send no Origin.
 * @param names from `hostnames`
 * @returns whether the request is allowed
 */
export const admit = (exchange: Exchange, names: Array<string>): boolean => {
  const { request, response } = exchange
  const { host, origin } = request.headers
  // Keyed answers are private and paid for: no cache may store them.
  response.setHeader("cache-control", "no-store").setHeader("x-content-type-options", "nosniff")
  response.setHeader("vary", "Origin")
  for (const checked of [validateHostHeader(host, names), validateOriginHeader(origin, names)]) {
    if (checked.ok) continue
    replyUnread(exchange, 403, JsonRpc.error(JsonRpc.serverError, checked.message))
    return false
  }
  if (origin !== undefined) response.setHeader("access-control-allow-origin", origin)
  return true
}

/** Answers a wrong method with 405, and OPTIONS with the path's method. */
export const refuseMethod = (exchange: Exchange, method: string): void => {
  const allow = `${method}, OPTIONS`
  if (exchange.request.method === "OPTIONS") {
    send(exchange, 204, "", {
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers":
        "Authorization, Accept, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
      "access-control-max-age": "86400",
    })
  } else {
    replyUnread(exchange, 405, JsonRpc.error(JsonRpc.serverError, `Method not allowed: use ${method}.`), { allow })
  }
}

import { pipeline, Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server"
import type { Failure } from "../../core/Failure.ts"
import type { Exchange } from "../http/listener.ts"
import * as Slices from "../http/slices.ts"
import * as JsonRpc from "./jsonRpc.ts"

/** The host names under which the server is reached, and whose pages may reach it. */
export const hostnames = (baseUrl: string, allowed: ReadonlyArray<string>): Array<string> => [
  ...localhostAllowedHostnames(),
  new URL(baseUrl).hostname,
  ...allowed,
]

/** Answers with one body; without one it is empty. */
export const send = (
  { response, settle }: Exchange,
  status: number,
  body = "",
  headers: Readonly<Record<string, string>> = {},
): void => {
  if (response.destroyed || response.headersSent) return
  settle(response)
  response.writeHead(status, {
    ...(body === "" ? {} : { "content-type": "application/json" }),
    // 204 has no length (RFC 9110, 8.6).
    ...(status === 204 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  })
  if (body.length <= Slices.atOnce) response.end(body)
  // What goes wrong here is the client's going away.
  else pipeline(Slices.readable(body), response, () => {})
}

/** The same for a request whose body is not read: the connection ends with the answer. */
export const refuse = (exchange: Exchange, status: number, body: string, headers?: Record<string, string>): void => {
  exchange.response.shouldKeepAlive = false
  send(exchange, status, body, headers)
}

/** A failure of the service's own table, in the form of the protocol. */
export const refuseFailure = (exchange: Exchange, { status, message, retryAfterMs }: Failure): void =>
  refuse(exchange, status, JsonRpc.error(JsonRpc.serverError, message), {
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
  })

/** Writes what the library answered. */
export const relay = async (exchange: Exchange, answer: Response): Promise<void> => {
  const { response, settle } = exchange
  if (answer.headers.get("content-type") !== "text/event-stream") {
    const allow = answer.headers.get("allow")
    return send(exchange, answer.status, await answer.text(), allow === null ? {} : { allow })
  }
  if (response.destroyed) return void answer.body?.cancel()
  settle(response)
  // `connection` is node's to say: a stream may be the last answer of its connection.
  answer.headers.delete("connection")
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  // What goes wrong here is the client's going away.
  pipeline(Readable.fromWeb(answer.body as ReadableStream), response, () => {})
}

const emptyList = '"tools":[]'

/**
 * Writes a list of tools that the library left empty: what it made around it is small, and the list is one text.
 *
 * @param listed `"tools":` and the list, as JSON
 */
export const relayList = async (exchange: Exchange, answer: Response, listed: Buffer): Promise<void> => {
  const { response, settle } = exchange
  const text = await answer.text()
  const at = text.indexOf(emptyList)
  const body =
    at === -1
      ? Buffer.from(text)
      : Buffer.concat([Buffer.from(text.slice(0, at)), listed, Buffer.from(text.slice(at + emptyList.length))])
  if (response.destroyed || response.headersSent) return
  settle(response)
  answer.headers.delete("connection")
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "content-length": String(body.length) })
  // What goes wrong here is the client's going away.
  if (body.length <= Slices.atOnce) response.end(body)
  else pipeline(Slices.readable(body), response, () => {})
}

/**
 * Lets a request in, or refuses what a browser on a foreign page would send: a host name that leads here but is not
 * ours, or an origin that is not. Keeps pages from reaching a server on their visitor's machine. Programs other than
 * browsers send no origin.
 *
 * @param names as `hostnames` gives them
 * @returns whether the request may go on
 */
export const admit = (exchange: Exchange, names: Array<string>): boolean => {
  const { request, response } = exchange
  const { host, origin } = request.headers
  // Keyed answers are private and paid for; nothing between may keep them.
  response.setHeader("cache-control", "no-store").setHeader("x-content-type-options", "nosniff")
  response.setHeader("vary", "Origin")
  for (const checked of [validateHostHeader(host, names), validateOriginHeader(origin, names)]) {
    if (checked.ok) continue
    refuse(exchange, 403, JsonRpc.error(JsonRpc.serverError, checked.message))
    return false
  }
  if (origin !== undefined) response.setHeader("access-control-allow-origin", origin)
  return true
}

/** Answers what has not the method of its path; to OPTIONS, which one it is. */
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
    refuse(exchange, 405, JsonRpc.error(JsonRpc.serverError, `This path serves ${method} only.`), { allow })
  }
}

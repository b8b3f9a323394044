import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import { SSEServerTransport } from "@modelcontextprotocol/server-legacy/sse"
import type { Context } from "../../core/gateway/Call.ts"
import type { Exchange } from "../http/listener.ts"
import { refuse, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import { carrying, type MakeServer } from "./server.ts"

interface Session {
  readonly transport: SSEServerTransport
  /** Requests that are not answered yet. */
  readonly pending: Set<string | number>
  /** Ends the stream and its connection. */
  readonly end: () => void
  /** Writes what means nothing. */
  readonly beat: () => void
  /** Ends the stream when no message comes for long. */
  readonly idle: NodeJS.Timeout
}

export interface Bounds {
  /** Streams at a time. */
  readonly most: number
  /** Streams of one client address at a time. */
  readonly perAddress: number
  /** How long a stream may go without a message, milliseconds. */
  readonly idleMs: number
}

export const defaultBounds: Bounds = { most: 256, perAddress: 4, idleMs: 300_000 }

/** How often each stream is written to so that nothing between takes it for dead, milliseconds. */
const keepAliveMs = 15_000
/** Bytes that wait for a client that does not read, before its stream is cut. Well above the largest answer. */
const mostUnread = 8 * 1024 * 1024

const isAnswer = (message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: string | number } =>
  "id" in message && !("method" in message)

/** The request that a message asks to give up. */
const cancelled = (message: JSONRPCMessage): unknown =>
  "method" in message && message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined

/**
 * The deprecated transport: one GET holds a stream of events, POSTs bring messages to it. A protocol server lives as
 * long as its stream, which a good key opens and which ends when no message comes. Each message's calls are those of the key that came with its own POST.
 *
 * @param messages path, as clients see it, to which messages are posted
 */
export const make = (makeServer: MakeServer, messages: string, { most, perAddress, idleMs }: Bounds) => {
  const sessions = new Map<string, Session>()
  const ofAddress = new Map<string, number>()
  let draining = false
  let heart: NodeJS.Timeout | undefined

  /** Ends a stream once the server is asked to end and nothing is owed on it. */
  const endIfDone = ({ pending, end }: Session): void => {
    if (draining && pending.size === 0) end()
  }

  const open = async (exchange: Exchange): Promise<void> => {
    if (draining || sessions.size >= most) {
      return refuse(exchange, 503, JsonRpc.error(JsonRpc.serverError, "No more streams are opened now."))
    }
    const { response, address } = exchange
    const held = address === undefined ? 0 : (ofAddress.get(address) ?? 0)
    if (held >= perAddress) {
      const message = `An address may hold ${perAddress} streams open.`
      return refuse(exchange, 429, JsonRpc.error(JsonRpc.serverError, message), { "retry-after": "60" })
    }
    if (address !== undefined) ofAddress.set(address, held + 1)
    const transport = new SSEServerTransport(messages, response)
    const end = () => void response.end(() => response.req.socket.destroySoon())
    const session: Session = {
      transport,
      pending: new Set(),
      end,
      beat: () => response.write(": keepalive\n\n"),
      idle: setTimeout(end, idleMs).unref(),
    }
    const write = transport.send.bind(transport)
    transport.send = async (message, options) => {
      await write(message, options)
      if (response.writableLength > mostUnread) response.destroy()
      if (isAnswer(message)) session.pending.delete(message.id)
      endIfDone(session)
    }
    sessions.set(transport.sessionId, session)
    response.once("close", () => {
      sessions.delete(transport.sessionId)
      clearTimeout(session.idle)
      const left = address === undefined ? 0 : (ofAddress.get(address) ?? 1) - 1
      if (address !== undefined && left > 0) ofAddress.set(address, left)
      else if (address !== undefined) ofAddress.delete(address)
      if (sessions.size > 0) return
      clearInterval(heart)
      heart = undefined
    })
    heart ??= setInterval(() => {
      for (const each of sessions.values()) each.beat()
    }, keepAliveMs).unref()
    await makeServer().connect(transport)
  }

  const post = async (exchange: Exchange, message: JsonRpc.Message, context: Context): Promise<void> => {
    const id = new URL(exchange.request.url!, "http://localhost").searchParams.get("sessionId")
    const session = id === null ? undefined : sessions.get(id)
    if (session === undefined) {
      return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
    }
    session.idle.refresh()
    if ("method" in message && "id" in message) session.pending.add(message.id)
    session.pending.delete(cancelled(message) as string | number)
    await session.transport.handleMessage(message, { authInfo: carrying(context) })
    send(exchange, 202)
    endIfDone(session)
  }

  const drain = (): void => {
    draining = true
    for (const session of sessions.values()) endIfDone(session)
  }

  return { open, post, drain }
}

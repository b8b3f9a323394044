import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import type { RequestContext } from "../../core/gateway/Call.ts"
import { onGone } from "../http/gone.ts"
import type { Exchange } from "../http/listener.ts"
import { refuse, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import { carrying, type MakeServer } from "./server.ts"

interface Session {
  readonly transport: Transport
  /** The stream, an answer without an end. */
  readonly response: ServerResponse
  /** Who holds it, as limits name clients. */
  readonly address: string | undefined
  /** Requests that are not answered yet. */
  readonly pending: Set<string | number>
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

/** Ends a stream and its connection. */
const end = (response: ServerResponse): void => void response.end(() => response.req.socket.destroySoon())

/**
 * The deprecated transport: one GET holds a stream of events, POSTs bring messages to it. A protocol server lives as
 * long as its stream, which a good key opens and which ends when no message comes. Each message's calls are those of
 * the key that came with its own POST.
 *
 * @param messages path, as clients see it, to which messages are posted
 */
export const make = (makeServer: MakeServer, messages: string, { most, perAddress, idleMs }: Bounds) => {
  const sessions = new Map<string, Session>()
  let draining = false

  /** Ends a stream once the server is asked to end and nothing is owed on it. */
  const endIfDone = ({ pending, response }: Session): void => {
    if (draining && pending.size === 0) end(response)
  }

  const open = async (exchange: Exchange): Promise<void> => {
    if (draining || sessions.size >= most) {
      return refuse(exchange, 503, JsonRpc.error(JsonRpc.serverError, "No more streams are opened now."))
    }
    const { response, address } = exchange
    const { socket } = response.req
    // The client went away while its key was looked at: its connection would never tell that it closes.
    if (socket.destroyed) return
    const held = address === undefined ? [] : [...sessions.values()].filter((each) => each.address === address)
    if (held.length >= perAddress) {
      const message = `An address may hold ${perAddress} streams open.`
      return refuse(exchange, 429, JsonRpc.error(JsonRpc.serverError, message), { "retry-after": "60" })
    }
    const sessionId = randomUUID()
    /** Nothing can be written to a stream that ends, even while a client that does not read keeps it from its end. */
    const write = (text: string): void => void (response.writableEnded || response.write(text))
    const transport: Transport = {
      sessionId,
      start: async () => {
        response.writeHead(200, {
          "Content-Type": "text/event-stream",
          "Cache-Control": "no-cache, no-transform",
          Connection: "keep-alive",
        })
        write(`event: endpoint\ndata: ${messages}?sessionId=${sessionId}\n\n`)
      },
      send: async (message) => {
        write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
        if (response.writableLength > mostUnread) response.destroy()
        if (isAnswer(message)) session.pending.delete(message.id)
        endIfDone(session)
      },
      close: async () => end(response),
    }
    const session: Session = {
      transport,
      response,
      address,
      pending: new Set(),
      idle: setTimeout(end, idleMs, response).unref(),
    }
    sessions.set(sessionId, session)
    const beat = setInterval(write, keepAliveMs, ": keepalive\n\n").unref()
    // The stream ends with its connection. A response that waits behind another one has no events of its own.
    onGone(socket, () => {
      sessions.delete(sessionId)
      clearTimeout(session.idle)
      clearInterval(beat)
      transport.onclose?.()
    })
    await makeServer().connect(transport)
  }

  const post = async (exchange: Exchange, message: JsonRpc.Message, context: RequestContext): Promise<void> => {
    const id = new URL(exchange.request.url!, "http://localhost").searchParams.get("sessionId")
    const session = id === null ? undefined : sessions.get(id)
    if (session === undefined || session.response.writableEnded) {
      return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
    }
    session.idle.refresh()
    if ("method" in message && "id" in message) session.pending.add(message.id)
    session.pending.delete(cancelled(message) as string | number)
    session.transport.onmessage?.(message, { authInfo: carrying(context) })
    send(exchange, 202)
    endIfDone(session)
  }

  const drain = (): void => {
    draining = true
    for (const session of sessions.values()) endIfDone(session)
  }

  return { open, post, drain }
}

import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { Transport } from "@modelcontextprotocol/server"
import type { RequestContext } from "../../../core/gateway/Call.ts"
import { onClientClosed } from "../http/clientClosed.ts"
import type { Exchange } from "../http/listener.ts"
import { replyUnread, send } from "./exchange.ts"
import * as JsonRpc from "./jsonRpc.ts"
import { type MakeServer, toAuthInfo } from "./server.ts"

interface Session {
  readonly transport: Transport
  /** The open event stream. */
  readonly response: ServerResponse
  /** The key that opened it. Its id stands in addresses, which proxies log, so other keys cannot use it. */
  readonly keyId: string
  /** The client, as rate limits name it. */
  readonly address: string | undefined
  /** The toolsets that its URL selected; absent: all. */
  readonly toolsets: ReadonlySet<string> | undefined
  /** Ids of unanswered requests. */
  readonly pending: Set<string | number>
  /** Ends the stream after `idleMs` without a message. */
  readonly idle: NodeJS.Timeout
}

interface Posted {
  readonly message: JsonRpc.Message
  /** Undefined without a valid key. */
  readonly keyId: string | undefined
  readonly context: RequestContext
}

export interface Bounds {
  readonly maxStreams: number
  /** Maximum open streams per client address. */
  readonly maxPerAddress: number
  /** A stream without a message for this long is ended, milliseconds. */
  readonly idleMs: number
}

export const defaultBounds: Bounds = { maxStreams: 256, maxPerAddress: 4, idleMs: 300_000 }

/** Interval of keep-alive comments, so that proxies do not close an idle stream, milliseconds. */
const keepAliveMs = 15_000
/** A stream with more unread bytes is closed. Well above the largest answer. */
const maxUnreadBytes = 8 * 1024 * 1024

const countOpen = (sessions: ReadonlyMap<string, Session>, address: string): number =>
  [...sessions.values()].filter((session) => session.address === address).length

const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
}

/** Ends a stream and its connection. */
const end = (response: ServerResponse): void => void response.end(() => response.req.socket.destroySoon())

/**
 * The deprecated transport: a GET with a valid key opens an event stream, POSTs bring messages to it. Each stream has a
 * protocol server of its own; it ends after `idleMs` without a message. A message needs the key that opened the stream.
 *
 * @param messages public path of the POSTs
 */
export const make = (
  makeServer: MakeServer,
  messages: string,
  { maxStreams: most, maxPerAddress: perAddress, idleMs }: Bounds,
) => {
  const sessions = new Map<string, Session>()
  let draining = false

  /** During shutdown, ends a stream that has no unanswered request. */
  const endIfDone = ({ pending, response }: Session): void => {
    if (draining && pending.size === 0) end(response)
  }

  const open = async (exchange: Exchange, keyId: string, toolsets: Session["toolsets"]): Promise<void> => {
    if (draining || sessions.size >= most) {
      return replyUnread(
        exchange,
        503,
        JsonRpc.error(JsonRpc.serverError, `No more streams: ${most} are open, or the server is stopping.`),
      )
    }
    const { response, address } = exchange
    const { socket } = response.req
    // The client disconnected during authentication: its socket emits no further close event.
    if (socket.destroyed) return
    if (address !== undefined && countOpen(sessions, address) >= perAddress) {
      const message = `No more streams for this address: ${perAddress} are open.`
      return replyUnread(exchange, 429, JsonRpc.error(JsonRpc.serverError, message), { "retry-after": "60" })
    }
    const sessionId = randomUUID()
    /** A slow reader can keep an ended stream open, and writing to it would fail. */
    const write = (text: string): void => void (response.writableEnded || response.write(text))
    const transport: Transport = {
      sessionId,
      start: async () => {
        response.writeHead(200, streamHeaders)
        write(`event: endpoint\ndata: ${messages}?sessionId=${sessionId}\n\n`)
      },
      send: async (message) => {
        write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
        if (response.writableLength > maxUnreadBytes) response.destroy()
        if (JsonRpc.isAnswer(message)) session.pending.delete(message.id)
        endIfDone(session)
      },
      close: async () => end(response),
    }
    const session: Session = {
      transport,
      response,
      keyId,
      address,
      toolsets,
      pending: new Set(),
      idle: setTimeout(end, idleMs, response).unref(),
    }
    sessions.set(sessionId, session)
    const beat = setInterval(write, keepAliveMs, ": keepalive\n\n").unref()
    // Watch the connection: a response queued behind another one emits no events.
    onClientClosed(socket, () => {
      sessions.delete(sessionId)
      clearTimeout(session.idle)
      clearInterval(beat)
      transport.onclose?.()
    })
    await makeServer().connect(transport)
  }

  const post = async (exchange: Exchange, { message, keyId, context }: Posted): Promise<void> => {
    const id = new URL(exchange.request.url!, "http://localhost").searchParams.get("sessionId")
    const session = id === null ? undefined : sessions.get(id)
    if (session === undefined || session.keyId !== keyId || session.response.writableEnded) {
      return send(exchange, 404, JsonRpc.error(JsonRpc.sessionNotFound, "Session not found."))
    }
    session.idle.refresh()
    if ("method" in message && "id" in message) session.pending.add(message.id)
    session.pending.delete(JsonRpc.findCancelledId(message) as string | number)
    session.transport.onmessage?.(message, { authInfo: toAuthInfo({ context, toolsets: session.toolsets }) })
    send(exchange, 202)
    endIfDone(session)
  }

  const drain = (): void => {
    draining = true
    for (const session of sessions.values()) endIfDone(session)
  }

  return { open, post, drain }
}

import { onClientClosed } from "./clientClosed.ts"
import type { Exchange } from "./route.ts"

/** Interval of events that say that the stream is alive, milliseconds. */
const beatMs = 15_000
/** A client whose stream ended without a reason asks again after this, milliseconds. */
const retryMs = 3_000
/** A stream with more unread bytes is closed. Well above all values of a large account. */
const maxUnreadBytes = 8 * 1024 * 1024

/** One event: its data is a single line. */
export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

/** An open stream of server-sent events. */
export interface EventStream {
  readonly send: (text: string) => void
  /** Ends it, after a last event if one is given. */
  readonly end: (last?: string) => void
}

/**
 * Begins the answer to an exchange as a stream of server-sent events.
 *
 * @param release called once, when it ends from either side
 * @returns undefined if the client has gone meanwhile
 */
export const openStream = (
  { response }: Exchange,
  headers: Readonly<Record<string, string>>,
  release: () => void,
): EventStream | undefined => {
  const { socket } = response.req
  // The client has gone meanwhile: its socket says so no more.
  if (socket.destroyed) return undefined
  response.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    // Of a proxy that would collect the events.
    "x-accel-buffering": "no",
  })
  const send = (text: string): void => {
    if (response.writableEnded || response.destroyed) return
    response.write(text)
    if (response.writableLength > maxUnreadBytes) response.destroy()
  }
  send(`retry: ${retryMs}\n\n`)
  const beat = setInterval(send, beatMs, eventText("beat", "1")).unref()
  let isOpen = true
  const close = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    clearInterval(beat)
    release()
    return true
  }
  onClientClosed(socket, close)
  return {
    send,
    end: (last) => {
      if (!close()) return
      if (last !== undefined) send(last)
      response.end(() => socket.destroySoon())
    },
  }
}

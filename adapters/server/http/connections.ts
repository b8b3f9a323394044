import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { blockFactor, ipv6Block } from "../../../core/gateway/access.ts"
import * as ClientAddress from "./clientAddress.ts"

export interface Bounds {
  /** Maximum open connections. A new one replaces the one that has been idle for longest. */
  readonly maxConnections: number
  /** Maximum per client address, and never more than a quarter of all; four times as many per /48 of IPv6, at most half. */
  readonly maxPerAddress: number
  /** An answer unread for this long closes its connection, milliseconds. */
  readonly unreadTimeoutMs: number
}

/**
 * 10,000 is twenty times what a busy installation holds open; each needs a file descriptor. A client library keeps about
 * 10, an office or agent platform behind one address some dozens: 256 suffice, and it takes 40 addresses to fill the server.
 */
export const defaultBounds: Bounds = { maxConnections: 10_000, maxPerAddress: 256, unreadTimeoutMs: 20_000 }

export interface Options extends Bounds {
  /** Addresses shared by many clients, such as our own proxies: exempt from the limit per address. */
  readonly isShared: (address: string) => boolean
  /** Reports the number of connections rejected since the last report. */
  readonly onRefused: (count: number) => void
}

const reportMs = 60_000
/** Checks for progress within `unreadTimeoutMs`. */
const checksPerTimeout = 5

interface Progress {
  /** Bytes that the client has received. */
  bytesRead: number
  /** Successive checks at which it had not grown. */
  stalledChecks: number
}

/** Reports the first rejection immediately and those of the next minute together. */
const makeReporter = (onRefused: Options["onRefused"]) => {
  let refused = 0
  let report: NodeJS.Timeout | undefined
  const logRefusals = (): void => {
    report = undefined
    if (refused === 0) return
    onRefused(refused)
    refused = 0
    report = setTimeout(logRefusals, reportMs).unref()
  }
  const count = (): void => {
    refused++
    if (report === undefined) logRefusals()
  }
  return { count, end: () => clearTimeout(report) }
}

/**
 * Counts a server's connections, closes idle or new ones beyond the limits, and resets those whose answer is unread. A slow
 * reader keeps its connection.
 *
 * @returns the open connections, and a function that ends the watch
 */
export const watch = (
  server: Server,
  { maxConnections: most, maxPerAddress: perAddress, unreadTimeoutMs: unreadMs, isShared, onRefused }: Options,
) => {
  /** In the order in which they came, or were answered last. */
  const open = new Set<Socket>()
  const newest = new WeakMap<Socket, ServerResponse>()
  /** Open connections of each address, and of each /48 of IPv6. */
  const counts = new Map<string, number>()
  const unread = new WeakMap<Socket, Progress>()
  const maxOfAddress = Math.max(1, Math.min(perAddress, Math.floor(most / 4)))
  const bounds = [maxOfAddress, Math.max(1, Math.min(blockFactor * maxOfAddress, Math.floor(most / 2)))]

  const refusals = makeReporter(onRefused)

  const findLongestIdle = (): Socket | undefined => {
    for (const socket of open) if (newest.get(socket)?.closed !== false) return socket
    return undefined
  }

  server.on("connection", (socket) => {
    const peer = socket.remoteAddress
    const address = peer === undefined || isShared(peer) ? undefined : ClientAddress.clientGroup(peer)
    const names = address === undefined ? [] : [address, ipv6Block(address) ?? []].flat()
    const replaced = open.size < most ? undefined : findLongestIdle()
    const isFull = open.size >= most && replaced === undefined
    if (isFull || names.some((name, at) => (counts.get(name) ?? 0) >= bounds[at]!)) {
      refusals.count()
      return void socket.destroy()
    }
    if (replaced !== undefined) open.delete(replaced)
    replaced?.destroy()
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    open.add(socket)
    socket.once("close", () => {
      open.delete(socket)
      for (const name of names)
        if (counts.get(name) === 1) counts.delete(name)
        else counts.set(name, counts.get(name)! - 1)
    })
  })
  server.on("request", ({ socket }, response) => {
    newest.set(socket, response)
    response.once("close", () => {
      if (open.delete(socket)) open.add(socket)
    })
  })

  const checkProgress = setInterval(() => {
    for (const socket of open) {
      if (socket.writableLength === 0) {
        unread.delete(socket)
        continue
      }
      const taken = socket.bytesWritten - socket.writableLength
      const before = unread.get(socket)
      if (before === undefined || before.bytesRead !== taken) unread.set(socket, { bytesRead: taken, stalledChecks: 0 })
      // Reset, so that the kernel's send buffer is freed too.
      else if (++before.stalledChecks >= checksPerTimeout) socket.resetAndDestroy()
    }
  }, unreadMs / checksPerTimeout).unref()

  return {
    open: open as ReadonlySet<Socket>,
    announceShutdown: () => {
      clearInterval(checkProgress)
      refusals.end()
    },
  }
}

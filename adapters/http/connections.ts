import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as ClientAddress from "./clientAddress.ts"

export interface Bounds {
  /** Connections at a time. */
  readonly most: number
  /** Connections of one client address at a time; never more than a quarter of all. */
  readonly perAddress: number
  /** How long an answer may lie unread before its connection is cut, milliseconds. */
  readonly unreadMs: number
}

/**
 * Twenty times what a busy installation holds open, with a file each. A client library keeps some ten connections, an
 * office or an agent platform behind one address some dozens: 256 leave room, and forty addresses do not fill the server.
 */
export const defaultBounds: Bounds = { most: 10_000, perAddress: 256, unreadMs: 20_000 }

export interface Options extends Bounds {
  /** Addresses behind which there are many clients, such as those of our own proxies. */
  readonly isShared: (address: string) => boolean
  /** Connections were turned away since the last report. */
  readonly onRefused: (count: number) => void
}

/** How often is said that connections are turned away, milliseconds. */
const reportMs = 60_000
/** Looks at what is unread within the time that it may be. */
const looks = 5

interface Progress {
  /** Bytes that the client's side has taken. */
  taken: number
  /** Looks since it took the last. */
  still: number
}

/**
 * Counts the connections of a server, closes those beyond its bounds as they come, and cuts those on which an answer
 * lies unread. A client that reads slowly keeps its own.
 *
 * @returns the open connections, and what ends the watch
 */
export const watch = (server: Server, { most, perAddress, unreadMs, isShared, onRefused }: Options) => {
  const open = new Set<Socket>()
  const ofAddress = new Map<string, number>()
  const unread = new WeakMap<Socket, Progress>()
  const mostOfAddress = Math.max(1, Math.min(perAddress, Math.floor(most / 4)))

  let refused = 0
  let report: NodeJS.Timeout | undefined
  const tell = (): void => {
    report = undefined
    if (refused === 0) return
    onRefused(refused)
    refused = 0
    report = setTimeout(tell, reportMs).unref()
  }
  /** The first is told at once, those of the minute after it together. */
  const refuse = (): void => {
    refused++
    if (report === undefined) tell()
  }

  server.maxConnections = most
  server.on("drop", refuse)
  server.on("connection", (socket) => {
    const peer = socket.remoteAddress
    if (peer !== undefined && !isShared(peer)) {
      const address = ClientAddress.groupOfAddress(peer)
      const count = (ofAddress.get(address) ?? 0) + 1
      if (count > mostOfAddress) {
        refuse()
        return void socket.destroy()
      }
      ofAddress.set(address, count)
      socket.once("close", () => {
        const left = ofAddress.get(address)! - 1
        if (left === 0) ofAddress.delete(address)
        else ofAddress.set(address, left)
      })
    }
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  })

  const look = setInterval(() => {
    for (const socket of open) {
      if (socket.writableLength === 0) {
        unread.delete(socket)
        continue
      }
      const taken = socket.bytesWritten - socket.writableLength
      const before = unread.get(socket)
      if (before === undefined || before.taken !== taken) unread.set(socket, { taken, still: 0 })
      // Reset, so that what lies in the system's buffers goes as well.
      else if (++before.still >= looks) socket.resetAndDestroy()
    }
  }, unreadMs / looks).unref()

  return {
    open: open as ReadonlySet<Socket>,
    end: () => {
      clearInterval(look)
      clearTimeout(report)
    },
  }
}

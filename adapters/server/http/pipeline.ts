import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Requests of one connection that are processed at a time, and that may be queued behind them. */
const atWork = 4
const waiting = 64

interface Line {
  working: number
  /** Queued requests. */
  readonly behind: Array<() => void>
}

/**
 * Starts the requests of a connection in order, at most 4 at a time and none while an answer is unread: a client that
 * pipelines requests and does not read costs the work of one.
 *
 * @returns whether the connection may send more: fewer than 64 requests are queued
 */
export const make = () => {
  const lines = new WeakMap<Socket, Line>()

  const lineOf = (socket: Socket): Line => {
    let line = lines.get(socket)
    if (line === undefined) {
      const made: Line = { working: 0, behind: [] }
      line = made
      lines.set(socket, made)
      socket.once("close", () => void made.behind.splice(0))
    }
    return line
  }

  const mayBegin = (socket: Socket, { working }: Line): boolean =>
    working === 0 || (working < atWork && socket.writableLength === 0)

  return (response: ServerResponse, begin: () => void): boolean => {
    const { socket } = response.req
    const line = lineOf(socket)
    const work = () => {
      line.working++
      response.once("close", () => {
        line.working--
        while (line.behind.length > 0 && mayBegin(socket, line)) line.behind.shift()!()
      })
      begin()
    }
    if (line.behind.length === 0 && mayBegin(socket, line)) work()
    else line.behind.push(work)
    return line.behind.length < waiting
  }
}

import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { getOrMake } from "../../../core/getOrMake.ts"

/** Requests of one connection that are processed at the same time, and that may wait behind them. */
const maxConcurrent = 4
const maxQueued = 64

interface Queue {
  working: number
  /** Queued requests. */
  readonly waiting: Array<() => void>
}

/**
 * Starts the requests of a connection in order, at most 4 at a time and none while an answer is unread: a client that
 * pipelines requests and does not read costs the work of one.
 *
 * @returns whether the connection may send more: fewer than 64 requests are queued
 */
export const make = () => {
  const queues = new WeakMap<Socket, Queue>()

  const getQueue = (socket: Socket): Queue =>
    getOrMake(queues, socket, () => {
      const queue: Queue = { working: 0, waiting: [] }
      socket.once("close", () => void queue.waiting.splice(0))
      return queue
    })

  const mayBegin = (socket: Socket, { working }: Queue): boolean =>
    working === 0 || (working < maxConcurrent && socket.writableLength === 0)

  return (response: ServerResponse, begin: () => void): boolean => {
    const { socket } = response.req
    const line = getQueue(socket)
    const work = () => {
      line.working++
      response.once("close", () => {
        line.working--
        while (line.waiting.length > 0 && mayBegin(socket, line)) line.waiting.shift()!()
      })
      begin()
    }
    if (line.waiting.length === 0 && mayBegin(socket, line)) work()
    else line.waiting.push(work)
    return line.waiting.length < maxQueued
  }
}

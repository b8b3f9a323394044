import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { assert, it } from "@effect/vitest"
import { onClientClosed } from "../../../../adapters/server/http/clientClosed.ts"
import { make } from "../../../../adapters/server/http/pipeline.ts"

/** A connection with as many unread bytes as are set, and the answers to its requests. */
const connection = () => {
  const socket = Object.assign(new EventEmitter(), { writableLength: 0 })
  const begin = make()
  const responses: Array<EventEmitter> = []
  const begun: Array<number> = []
  const request = (): boolean => {
    const number = responses.length
    const response = Object.assign(new EventEmitter(), { req: { socket } })
    responses.push(response)
    return begin(response as unknown as ServerResponse, () => void begun.push(number))
  }
  return { socket, begun, request, answered: (number: number) => void responses[number]!.emit("close") }
}

it("four requests of a connection are processed at a time, in their order", () => {
  const { begun, request, answered } = connection()
  for (let count = 0; count < 6; count++) request()
  assert.deepStrictEqual(begun, [0, 1, 2, 3])
  answered(2)
  assert.deepStrictEqual(begun, [0, 1, 2, 3, 4])
  answered(0)
  assert.deepStrictEqual(begun, [0, 1, 2, 3, 4, 5])
})

it("while an answer is unread only one request is processed", () => {
  const { socket, begun, request, answered } = connection()
  socket.writableLength = 1
  for (let count = 0; count < 3; count++) request()
  assert.deepStrictEqual(begun, [0])
  answered(0)
  assert.deepStrictEqual(begun, [0, 1])
  socket.writableLength = 0
  answered(1)
  assert.deepStrictEqual(begun, [0, 1, 2])
})

it("a connection may send more while fewer than 64 requests wait", () => {
  const { request } = connection()
  const more = Array.from({ length: 4 + 64 }, request)
  assert.strictEqual(more.indexOf(false), 4 + 63)
})

it("what waits is forgotten when the connection closes", () => {
  const { socket, begun, request, answered } = connection()
  for (let count = 0; count < 5; count++) request()
  socket.emit("close")
  answered(0)
  assert.deepStrictEqual(begun, [0, 1, 2, 3])
})

it("connections do not wait for each other", () => {
  const [one, other] = [connection(), connection()]
  for (let count = 0; count < 5; count++) one.request()
  other.request()
  assert.deepStrictEqual(other.begun, [0])
})

it("who waits for a client to leave is told once, unless it was removed", () => {
  const socket = new EventEmitter() as never as Parameters<typeof onClientClosed>[0]
  const told: Array<string> = []
  onClientClosed(socket, () => void told.push("first"))
  const remove = onClientClosed(socket, () => void told.push("removed"))
  onClientClosed(socket, () => void told.push("last"))
  assert.strictEqual(socket.listenerCount("close"), 1, "one listener, however many wait")
  remove()
  socket.emit("close")
  socket.emit("close")
  assert.deepStrictEqual(told, ["first", "last"])
})

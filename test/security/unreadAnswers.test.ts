import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Connections from "../../adapters/server/http/connections.ts"
import * as Controlled from "../adapters/server/http/controlled.ts"
import { request } from "../adapters/server/http/exchange.ts"
import { type Running, start } from "../support/running.ts"
import { hold } from "./sockets.ts"

/** In place of twenty seconds. */
const unreadMs = 600
const heldMs = 10_000
/** More than a third of the largest send buffer that Linux gives a connection by itself, 4 MiB. */
const bytesPerLook = 1_500_000

let service: Running
beforeAll(async () => {
  service = await start({}, { limits: { unreadMs } })
})
afterAll(() => service.stop())

const answers = 60

/** More than the buffers of a system take from us for a client that does not read: a megabyte or some. */
const large = request("GET /openapi.json").repeat(answers)

describe("a client that does not read", () => {
  it("loses its connection", async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => hold(service.url, "")))
    for (const { socket } of sockets) {
      socket.pause()
      socket.write(large)
    }
    // Who does not read hears of the end only by writing.
    const probe = setInterval(() => {
      for (const { socket } of sockets) if (socket.writable) socket.write("\r\n")
    }, 50)
    const closed = await Promise.all(sockets.map((each) => each.closed(heldMs)))
    clearInterval(probe)
    for (const { socket } of sockets) socket.destroy()
    assert.lengthOf(
      closed.filter((after) => after === undefined),
      0,
    )
  })

  it("a slow reader keeps its connection and receives everything", async () => {
    const { socket, received, closed } = await hold(service.url, "")
    socket.pause()
    socket.write(large)
    let wire = 0
    let gone: number | undefined
    // By bytes, for a busy machine reads less in a given time, and the kernel reports room in its buffer by the third of it.
    while (wire < answers && gone === undefined) {
      const read = socket.bytesRead + bytesPerLook
      socket.resume()
      do {
        gone = await closed(2)
        wire = received().split("HTTP/1.1 200").length - 1
      } while (wire < answers && gone === undefined && socket.bytesRead < read)
      socket.pause()
      gone ??= await closed(unreadMs / 2)
    }
    assert.strictEqual(wire, answers)
    socket.destroy()
  })
})

describe("a pipeline whose answers nobody reads", () => {
  it("is not worked on: calls behind the first few are neither made nor charged", async () => {
    let calls = 0
    const word: Controlled.Word = { ...Controlled.word, results: { word: "x".repeat(2_000_000) } }
    const slow = await Controlled.start({
      balance: 1_000_000,
      paid: () =>
        Effect.sync(() => {
          calls++
          return word
        }),
    })
    const { socket, closed } = await hold(slow.url, "")
    socket.pause()
    socket.write(request("GET /v1/controlled/paid", `Authorization: ${slow.authorization}`).repeat(200))
    for (let looks = 0; looks < 20; looks++) await closed(50)
    assert.isAbove(calls, 0)
    // The first few, and those whose answers the buffers of the system took.
    assert.isAtMost(calls, 30)
    const charged = 1_000_000 - (await slow.balance())
    assert.strictEqual(charged, calls * 1_000)
    socket.destroy()
    await slow.stop()
  })

  it("of more requests than may wait ends after those, and nothing behind is charged", async () => {
    const many = await Controlled.start({ balance: 1_000_000 })
    const { socket, received, closed } = await hold(
      many.url,
      request("GET /v1/controlled/paid", `Authorization: ${many.authorization}`).repeat(300),
    )
    assert.isDefined(await closed(heldMs))
    const answered = received().split("HTTP/1.1 200").length - 1
    assert.isAtLeast(answered, 60)
    assert.isBelow(answered, 300)
    assert.strictEqual(1_000_000 - (await many.balance()), answered * 1_000)
    socket.destroy()
    await many.stop()
  })
})

describe("connections beyond the bounds", () => {
  const watched = async (bounds: Partial<Connections.Bounds>, isShared: (address: string) => boolean) => {
    const server = createServer((_, response) => response.end("served"))
    const told: Array<number> = []
    const { open, end } = Connections.watch(server, {
      ...Connections.defaultBounds,
      ...bounds,
      isShared,
      onRefused: (count) => void told.push(count),
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      url,
      told,
      open,
      stop: () => {
        end()
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      },
    }
  }

  it("of one address are closed on arrival, logged once, and leave room for others", async () => {
    const server = await watched({ most: 100, perAddress: 3 }, () => false)
    const held = []
    for (let n = 0; n < 3; n++) held.push(await hold(server.url, ""))
    const more = await hold(server.url, request("GET /"))
    assert.isDefined(await more.closed(heldMs))
    assert.strictEqual(more.received(), "")
    const other = await hold(server.url, request("GET /", "Connection: close"), "127.0.0.2")
    assert.isDefined(await other.closed(heldMs))
    assert.include(other.received(), "served")
    await (await hold(server.url, request("GET /"))).closed(heldMs)
    assert.deepStrictEqual(server.told, [1])
    // Room comes back with the end of one.
    held[0]!.socket.destroy()
    while (server.open.size > 2) await held[1]!.closed(5)
    const again = await hold(server.url, request("GET /", "Connection: close"))
    assert.isDefined(await again.closed(heldMs))
    assert.include(again.received(), "served")
    await server.stop()
  })

  it("no address has more than a quarter of all", async () => {
    const server = await watched({ most: 8, perAddress: 256 }, () => false)
    const held = [await hold(server.url, ""), await hold(server.url, "")]
    const more = await hold(server.url, request("GET /"))
    assert.isDefined(await more.closed(heldMs))
    for (const { socket } of held) socket.destroy()
    await server.stop()
  })

  it("those of a shared address count in all alone", async () => {
    const server = await watched({ most: 4, perAddress: 1 }, () => true)
    const held = []
    for (let n = 0; n < 4; n++) held.push(await hold(server.url, ""))
    assert.strictEqual(server.open.size, 4)
    const more = await hold(server.url, request("GET /"))
    assert.isDefined(await more.closed(heldMs))
    assert.deepStrictEqual(server.told, [1])
    for (const { socket } of held) socket.destroy()
    await server.stop()
  })

  it("are logged", async () => {
    const service = await Controlled.start({}, { limits: { most: 2 } })
    const held = [await hold(service.url, ""), await hold(service.url, "")]
    const more = await hold(service.url, request("GET /healthz"))
    assert.isDefined(await more.closed(heldMs))
    assert.include(service.log.join("\n"), "1 connections to 127.0.0.1:0 were rejected")
    for (const { socket } of held) socket.destroy()
    await service.stop()
  })
})

import { EventEmitter } from "node:events"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Connections from "../../../../adapters/server/http/connections.ts"
import { hold } from "../../../security/sockets.ts"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"
import { request } from "./exchange.ts"

/** In place of twenty seconds. */
const unreadMs = 600
const heldMs = 10_000
/** More than a third of the largest send buffer that Linux gives a connection by itself, 4 MiB. */
const bytesPerLook = 1_500_000

let service: Running
beforeAll(async () => {
  service = await start({}, { limits: { unreadTimeoutMs: unreadMs } })
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
  const watched = async (
    bounds: Partial<Connections.Bounds>,
    isShared: (address: string) => boolean,
    answer: RequestListener = (_, response) => void response.end("served"),
  ) => {
    let asked = 0
    const server = createServer((request, response) => {
      asked++
      answer(request, response)
    })
    const told: Array<number> = []
    const { open, announceShutdown: end } = Connections.watch(server, {
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
      asked: () => asked,
      open,
      stop: () => {
        end()
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      },
    }
  }

  it("of one address are closed on arrival, logged once, and leave room for others", async () => {
    const server = await watched({ maxConnections: 100, maxPerAddress: 3 }, () => false)
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
    const server = await watched({ maxConnections: 8, maxPerAddress: 256 }, () => false)
    const held = [await hold(server.url, ""), await hold(server.url, "")]
    const more = await hold(server.url, request("GET /"))
    assert.isDefined(await more.closed(heldMs))
    for (const { socket } of held) socket.destroy()
    await server.stop()
  })

  it("of a /48 of IPv6 are four times those of a /64, at most half of all", () => {
    for (const [most, ofLine, ofBlock] of [
      [1_000, 3, 12],
      [16, 3, 8],
      [1, 1, 1],
    ] as const) {
      const server = new EventEmitter()
      const { open, announceShutdown: end } = Connections.watch(server as Server, {
        ...{ ...Connections.defaultBounds, maxConnections: most, maxPerAddress: 3 },
        ...{ isShared: () => false, onRefused: () => undefined },
      })
      const come = (remoteAddress: string) => {
        const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: () => void socket.emit("close") })
        server.emit("connection", socket as unknown as Socket)
        return open.has(socket as unknown as Socket)
      }
      const passed = (...addresses: ReadonlyArray<string>) => addresses.map(come).filter(Boolean).length
      assert.strictEqual(passed(...Array.from({ length: 9 }, (_, n) => `2001:db8:1:1::${n}`)), ofLine)
      assert.strictEqual(ofLine + passed(...Array.from({ length: 90 }, (_, n) => `2001:db8:1:${n + 2}::1`)), ofBlock)
      if (most > 1) assert.strictEqual(passed("2001:db8:2:1::1", "2001:db8:2:1::2"), 2)
      // Whoever goes leaves room in both counts.
      for (const socket of [...open]) socket.destroy()
      assert.strictEqual(passed("2001:db8:1:1::1"), 1)
      end()
    }
  })

  it("those of a shared address count in all alone, and whoever waits for an answer keeps its own", async () => {
    const server = await watched(
      { maxConnections: 4, maxPerAddress: 1 },
      () => true,
      () => undefined,
    )
    const held = []
    for (let n = 0; n < 4; n++) held.push(await hold(server.url, request("GET /")))
    while (server.asked() < 4) await held[0]!.closed(5)
    assert.strictEqual(server.open.size, 4)
    const more = await hold(server.url, request("GET /"))
    assert.isDefined(await more.closed(heldMs))
    assert.deepStrictEqual(server.told, [1])
    for (const { socket } of held) socket.destroy()
    await server.stop()
  })

  it("take the place of the one that is idle the longest, never of one that waits for an answer", async () => {
    const waiting: Array<ServerResponse> = []
    const server = await watched(
      { maxConnections: 4, maxPerAddress: 256 },
      () => true,
      ({ url }, response) => {
        if (url === "/wait") waiting.push(response)
        else response.end("served")
      },
    )
    const served = async (on: Awaited<ReturnType<typeof hold>>, times: number) => {
      while (on.received().split("served").length <= times) assert.isUndefined(await on.closed(5))
    }
    const busy = await hold(server.url, request("GET /wait"))
    const silent = await hold(server.url, "")
    const [first, second] = [await hold(server.url, request("GET /")), await hold(server.url, request("GET /"))]
    await served(first, 1)
    await served(second, 1)
    first.socket.write(request("GET /"))
    await served(first, 2)
    // Idle the longest: one that has never asked, then the second, which was answered before the first was again.
    for (const [gone, ...kept] of [
      [silent, busy, first, second],
      [second, busy, first],
    ] as const) {
      const next = await hold(server.url, request("GET /"))
      await served(next, 1)
      assert.isDefined(await gone.closed(heldMs))
      for (const each of kept) assert.isUndefined(await each.closed(5))
      assert.strictEqual(server.open.size, 4)
    }
    // One that has sent a second request behind its first is not idle when the first is answered.
    first.socket.write(request("GET /") + request("GET /wait"))
    await served(first, 3)
    while (waiting.length < 2) await first.closed(5)
    for (let n = 0; n < 4; n++) await served(await hold(server.url, request("GET /")), 1)
    for (const response of waiting) response.end("served")
    await served(busy, 1)
    await served(first, 4)
    assert.deepStrictEqual(server.told, [])
    await server.stop()
  })

  it("are logged", async () => {
    const entered = Effect.runSync(Deferred.make<void>())
    const service = await Controlled.start(
      { paid: () => Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never) },
      { limits: { maxConnections: 1 } },
    )
    const { socket, closed } = await hold(
      service.url,
      request("GET /v1/controlled/paid", `Authorization: ${service.authorization}`),
    )
    await Effect.runPromise(Deferred.await(entered))
    const more = await hold(service.url, request("GET /healthz"))
    assert.isDefined(await more.closed(heldMs))
    assert.isUndefined(await closed(5))
    assert.include(service.log.join("\n"), "1 connections to 127.0.0.1:0 were rejected")
    socket.destroy()
    await service.stop()
  })
})

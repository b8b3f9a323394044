import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ApiKey from "../../core/account/ApiKey.ts"
import * as Controlled from "../adapters/server/http/controlled.ts"
import { request } from "../adapters/server/http/exchange.ts"
import { type Held, hold } from "./sockets.ts"

type Service = Awaited<ReturnType<typeof Controlled.start>>

const heldMs = 8_000
const statusOf = (wire: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(wire)?.[1])

/** Asks for a stream and waits for the head of the answer. */
const ask = async (service: Service, ...headers: ReadonlyArray<string>) => {
  const held = await hold(service.url, request("GET /mcp/sse", ...headers))
  while (!held.received().includes("\r\n\r\n")) await held.closed(10)
  return { ...held, status: statusOf(held.received()) }
}

const keyed = ({ authorization }: Service) => `Authorization: ${authorization}`

/** Asks for streams, one at a time, until one is answered so. */
const askUntil = async (service: Service, status: number) => {
  for (let tries = 0; tries < 200; tries++) {
    const asked = await ask(service, keyed(service))
    if (asked.status === status) return asked
    asked.socket.destroy()
  }
  return assert.fail(`No stream was answered with ${status}.`)
}

/** The path to which a stream's messages are posted. */
const pathOf = async ({ received, closed }: Held): Promise<string> => {
  for (;;) {
    const found = /data: (\S+)\n/.exec(received())
    if (found !== null) return found[1]!
    await closed(10)
  }
}

const post = async (service: Service, path: string, method: string): Promise<number> => {
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: service.authorization },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }),
  })
  await answer.text()
  return answer.status
}

describe("a stream of events", () => {
  it.each<[string, ReadonlyArray<string>]>([
    ["without a key", []],
    ["with a key of another form", ["Authorization: Bearer sk-1234"]],
    ["with another scheme", ["Authorization: Basic dXNlcjpwYXNz"]],
    [
      "with a key that was never issued",
      [`Authorization: Bearer ${ApiKey.fromBytes("live", new Uint8Array(32).fill(9))}`],
    ],
  ])("%s is not opened", async (_, headers) => {
    const service = await Controlled.start()
    const { status, received, socket } = await ask(service, ...headers)
    assert.strictEqual(status, 401)
    assert.match(received(), /www-authenticate: Bearer/i)
    assert.strictEqual(JSON.parse(received().slice(received().indexOf("{"))).error.code, -32_000)
    socket.destroy()
    await service.stop()
  })

  it("is one of four that an address may hold, and makes room when it ends", async () => {
    const service = await Controlled.start()
    const held = []
    for (let n = 0; n < 4; n++) held.push(await ask(service, keyed(service)))
    assert.deepStrictEqual(
      held.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const more = await ask(service, keyed(service))
    assert.strictEqual(more.status, 429)
    assert.match(more.received(), /retry-after: \d+/i)
    held[0]!.socket.destroy()
    held.push(await askUntil(service, 200))
    for (const { socket } of held) socket.destroy()
    await service.stop()
  })

  it("ends when no message comes for long, and not while messages come", async () => {
    const idleMs = 400
    const service = await Controlled.start({}, {}, { idleMs })
    const idle = await ask(service, keyed(service))
    const used = await ask(service, keyed(service))
    const path = await pathOf(used)
    const messages = setInterval(() => void post(service, path, "ping"), idleMs / 8)
    assert.isDefined(await idle.closed(heldMs))
    assert.isUndefined(await used.closed(idleMs * 2))
    clearInterval(messages)
    assert.isDefined(await used.closed(heldMs))
    await service.stop()
  })

  it("that waits behind another answer makes room when its connection ends", async () => {
    const service = await Controlled.start({ paid: () => Effect.never })
    const pair = request("GET /v1/controlled/paid", keyed(service)) + request("GET /mcp/sse", keyed(service))
    const waiting = await Promise.all(Array.from({ length: 4 }, () => hold(service.url, pair)))
    const full = await askUntil(service, 429)
    for (const { socket } of waiting) socket.destroy()
    const after = await askUntil(service, 200)
    for (const { socket } of [full, after]) socket.destroy()
    await service.stop()
  })

  it("takes no message while it closes, even if a client that does not read delays the close", async () => {
    const idleMs = 400
    const service = await Controlled.start({}, {}, { idleMs })
    const stream = await ask(service, keyed(service))
    const path = await pathOf(stream)
    stream.socket.pause()
    // More than the system takes off the server's hands, and less than what has the stream cut.
    for (let posts = 0; posts < 450; posts++) await post(service, path, "tools/list")
    assert.isUndefined(await stream.closed(idleMs * 2))
    for (const method of ["ping", "tools/list"]) assert.strictEqual(await post(service, path, method), 404)
    stream.socket.resume()
    assert.isDefined(await stream.closed(heldMs))
    assert.isTrue(stream.received().endsWith("0\r\n\r\n"))
    await service.stop()
  })
})

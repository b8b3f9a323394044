import { assert, describe, it } from "@effect/vitest"
import * as ApiKey from "../../core/account/ApiKey.ts"
import * as Controlled from "../adapters/http/controlled.ts"
import { request } from "../adapters/http/exchange.ts"
import { hold } from "./sockets.ts"

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
    for (let status = 429, tries = 0; status !== 200; tries++) {
      assert.isBelow(tries, 200)
      const again = await ask(service, keyed(service))
      status = again.status
      if (status === 200) held.push(again)
    }
    for (const { socket } of held) socket.destroy()
    await service.stop()
  })

  it("ends when no message comes for long, and not while messages come", async () => {
    const idleMs = 400
    const service = await Controlled.start({}, {}, { idleMs })
    const idle = await ask(service, keyed(service))
    const used = await ask(service, keyed(service))
    while (!used.received().includes("sessionId=")) await used.closed(10)
    const [, path] = /data: (\S+)/.exec(used.received())!
    const messages = setInterval(() => {
      void fetch(service.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: service.authorization },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      }).then((answer) => answer.text())
    }, idleMs / 8)
    assert.isDefined(await idle.closed(heldMs))
    assert.isUndefined(await used.closed(idleMs * 2))
    clearInterval(messages)
    assert.isDefined(await used.closed(heldMs))
    await service.stop()
  })
})

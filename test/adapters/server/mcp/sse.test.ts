import { assert, describe, it } from "@effect/vitest"
import * as ApiKey from "../../../../core/account/ApiKey.ts"
import * as Controlled from "../http/controlled.ts"
import { open, request } from "../http/exchange.ts"

describe("a stream of events", () => {
  /** An event stream over a bare socket, and a function to post to it. */
  const stream = async (service: Awaited<ReturnType<typeof Controlled.start>>) => {
    const { socket } = open(service.url)
    // It may be idle for as long as a test runs.
    socket.setTimeout(0)
    let wire = ""
    const endpoint = new Promise<string>((resolve) => {
      socket.on("data", (chunk) => {
        wire += chunk
        const found = /^data: (\/mcp\/messages\?sessionId=[\w-]+)$/m.exec(wire)
        if (found !== null) resolve(found[1]!)
      })
    })
    socket.write(request("GET /mcp/sse", `Authorization: ${service.authorization}`))
    const path = await endpoint
    const post = async (method: string, keyed: { readonly authorization?: string } = service): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method })
      const { authorization } = keyed
      const headers = { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) }
      const { status } = await fetch(service.url + path, { method: "POST", headers, body })
      return status
    }
    return { socket, post, wire: () => wire }
  }

  it("takes messages as long as it is open, and no longer", async () => {
    const service = await Controlled.start()
    const { socket, post } = await stream(service)
    assert.strictEqual(await post("ping"), 202)
    socket.destroy()
    // The server detects the disconnect a moment later.
    let status = 202
    for (let tries = 0; status === 202 && tries < 100; tries++) status = await post("ping")
    assert.strictEqual(status, 404)
    await service.stop()
  })

  it("takes no message without the key that opened it", async () => {
    const service = await Controlled.start()
    const { socket, post, wire } = await stream(service)
    const other = `Bearer ${ApiKey.fromBytes("live", new Uint8Array(32).fill(9))}`
    for (const authorization of [undefined, other]) {
      assert.strictEqual(await post("ping", authorization === undefined ? {} : { authorization }), 404)
    }
    assert.notInclude(wire(), "event: message")
    assert.strictEqual(await post("ping"), 202)
    socket.destroy()
    await service.stop()
  })

  it("is closed if the client does not read", async () => {
    const service = await Controlled.start()
    const { socket, post } = await stream(service)
    socket.pause()
    let [status, posts] = [202, 0]
    for (; status === 202 && posts < 5_000; posts++) status = await post("tools/list")
    assert.deepStrictEqual([status, posts > 100], [404, true])
    socket.destroy()
    await service.stop()
  })

  it("is not opened when there are too many", async () => {
    const service = await Controlled.start({}, {}, { maxStreams: 8, maxPerAddress: 9 })
    const abort = new AbortController()
    const init = { headers: { authorization: service.authorization } }
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${service.url}/mcp/sse`, { ...init, signal: abort.signal })),
    )
    assert.isTrue(streams.every(({ status }) => status === 200))
    const more = await fetch(`${service.url}/mcp/sse`, init)
    assert.strictEqual(more.status, 503)
    assert.strictEqual(((await more.json()) as { error: { code: number } }).error.code, -32_000)
    abort.abort()
    await service.stop()
  })
})

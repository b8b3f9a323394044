import { assert, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Controlled from "../http/controlled.ts"
import { atOnce, open, request } from "../http/exchange.ts"
import { moment, pass, reached, refused, slow, wallet } from "../http/moments.ts"
import { connect, overHttp, type Way } from "./clients.ts"

const ways = Object.entries(overHttp)
const paid = { name: "controlled_paid", arguments: {} }

const begin = async (
  behaviour: Controlled.Behaviour,
  way: Way,
  options: Parameters<typeof Controlled.start>[1] = {},
) => {
  const service = await Controlled.start(behaviour, options)
  const client = await connect(service.url, way, service.authorization.slice("Bearer ".length))
  return { service, client }
}

const codeOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>): string =>
  JSON.parse((content as unknown as readonly [{ text: string }])[0].text).error.code

describe.each(ways)("%s: a client", (_, way) => {
  it("that gives a call up before its charge interrupts it and pays nothing", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way)
    const abort = new AbortController()
    const given = client.callTool(paid, { signal: abort.signal }).catch(() => "given up")
    await reached(call.began)
    // Without sessions a cancellation of 2025 cannot be delivered: that client has to disconnect.
    if (way === "2025-11-25") await client.close()
    else abort.abort()
    assert.strictEqual(await given, "given up")
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await client.close()
    await service.stop()
  })

  it("that goes away while the charge is written has paid once", async () => {
    const began = moment()
    const release = moment()
    const ledger = wallet(Effect.zipRight(Deferred.succeed(began, undefined), Deferred.await(release)))
    const { service, client } = await begin({ ledger }, way)
    const abort = new AbortController()
    const given = client.callTool(paid, { signal: abort.signal }).catch(() => "given up")
    await reached(began)
    abort.abort()
    await given
    await client.close()
    await pass(release)
    // Shutdown waits for the running charge.
    await service.stop()
    assert.strictEqual(await service.balance(), 9_000)
  })

  it("is informed of a timed-out call and pays nothing", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way, { limits: { answerMs: 500 } })
    const result = await client.callTool(paid)
    assert.deepStrictEqual([result.isError, codeOf(result)], [true, "request_timeout"])
    await reached(call.interrupted)
    assert.strictEqual(await service.balance(), 10_000)
    await client.close()
    await service.stop()
  })

  it("is answered by a server that has been asked to end, which then ends at once", async () => {
    const call = slow()
    const { service, client } = await begin({ paid: call.paid }, way)
    const answer = client.callTool(paid)
    await reached(call.began)
    const stopped = service.stop()
    await refused(service.url)
    await pass(call.release)
    assert.deepStrictEqual((await answer).structuredContent?.["results" as never], { word: "said" } as never)
    await atOnce(() => stopped)
    assert.strictEqual(await service.balance(), 9_000)
    await client.close()
  })

  it("that calls a hundred times leaves no listeners behind", async () => {
    const { service, client } = await begin({ balance: 1_000_000 }, way)
    const warnings: Array<string> = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on("warning", note)
    for (let n = 0; n < 100; n++) assert.isUndefined((await client.callTool(paid)).isError)
    process.off("warning", note)
    assert.deepStrictEqual(warnings, [])
    assert.strictEqual(await service.balance(), 900_000)
    await client.close()
    await service.stop()
  })
})

describe("a stream of events", () => {
  it("that owes nothing ends with the server", async () => {
    const { service, client } = await begin({}, "sse")
    const closed = new Promise<void>((resolve) => {
      client.onerror = () => resolve()
    })
    await atOnce(service.stop)
    await closed
    await client.close()
  })

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
    const post = async (method: string): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method })
      const { status } = await fetch(service.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: service.authorization },
        body,
      })
      return status
    }
    return { socket, post }
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
    const service = await Controlled.start({}, {}, { most: 8, perAddress: 9 })
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

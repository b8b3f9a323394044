// Proof: waits for limits of time.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpServer from "../../adapters/server/http/server.ts"
import { open, request, responses } from "../adapters/server/http/exchange.ts"
import { type Running, start } from "../support/running.ts"
import { hold } from "./sockets.ts"

/** In place of ten seconds. */
const arriveMs = 1_000
/** What separates a connection that is cut from one that is held: the time of an answer is thirty times as long. */
const heldMs = 8_000

const token = "an-operator's-token-of-32-characters"
const json = "Content-Type: application/json"

let service: Running
/** A request to the operator's listener, whose limits are those of the service: its ten seconds pass behind the others. */
let operator: Awaited<ReturnType<typeof hold>>
let cut: Promise<number | undefined>
beforeAll(async () => {
  service = await start(
    { admin: { token: Option.some(Redacted.make(token)), listen: Option.some({ host: "127.0.0.1", port: 0 }) } },
    { limits: { arriveMs, answerMs: 30_000 } },
  )
  const bearer = `Authorization: Bearer ${token}`
  operator = await hold(service.adminUrl!, `${request("POST /admin/v1/accounts", bearer, "Content-Length: 9")}{`)
  cut = operator.closed(HttpServer.defaultLimits.arriveMs + 10_000)
})
afterAll(() => service.stop())

/** Requests whose body begins and does not go on. */
const begun: ReadonlyArray<readonly [string, string]> = [
  ["POST /mcp", request("POST /mcp", json, "Content-Length: 100")],
  ["POST /mcp with one byte", `${request("POST /mcp", json, "Content-Length: 100")}{`],
  ["POST /mcp in chunks", `${request("POST /mcp", json, "Transfer-Encoding: chunked")}1\r\n{\r\n`],
  ["POST /mcp/messages", `${request("POST /mcp/messages?sessionId=x", json, "Content-Length: 100")}{`],
  ["POST /v1/plan/estimate", `${request("POST /v1/plan/estimate", json, "Content-Length: 100")}{`],
  ["POST /docs", `${request("POST /docs", "Content-Length: 100")}x`],
  ["POST /nowhere", `${request("POST /nowhere", "Content-Length: 100")}x`],
  ["GET /openapi.json with a body", `${request("GET /openapi.json", "Content-Length: 100")}x`],
  ["GET /v1/proof/leaves with a body", `${request("GET /v1/proof/leaves", "Content-Length: 100")}x`],
]

describe.concurrent("a body that does not arrive", () => {
  it.each(begun)("%s is cut off", async (_, bytes) => {
    const { socket, closed, received } = await hold(service.url, bytes)
    const after = await closed(heldMs)
    socket.destroy()
    assert.isDefined(after, received().slice(0, 200))
  })

  it.each(begun.slice(0, 5))("%s gets 408 in the format of its path", async (path, bytes) => {
    const { socket, received } = open(service.url)
    socket.write(bytes)
    const found = responses(await received)
    assert.deepStrictEqual(
      found.map(({ status, headers }) => [status, headers["connection"]]),
      [[408, "close"]],
    )
    const { error } = JSON.parse(found[0]!.text)
    assert.strictEqual(error.code, path.includes("/mcp") ? -32_000 : "request_timeout")
  })

  it("a byte now and then buys no time", async () => {
    const { socket, closed } = await hold(service.url, request("POST /mcp", json, "Content-Length: 60000"))
    const drip = setInterval(() => socket.writable && socket.write("x"), 50)
    const after = await closed(heldMs)
    clearInterval(drip)
    socket.destroy()
    assert.isDefined(after)
  })

  it("a hundred at once are all gone, and others are served meanwhile", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, () => hold(service.url, `${request("POST /mcp", json, "Content-Length: 9")}{`)),
    )
    assert.strictEqual((await service.get("/v1/weather/stations")).status, 200)
    const closed = await Promise.all(sockets.map((each) => each.closed(heldMs)))
    for (const { socket } of sockets) socket.destroy()
    assert.lengthOf(
      closed.filter((after) => after === undefined),
      0,
    )
  })

  it("behind a call that is under way waits for that call's answer, and for no longer", async () => {
    const bearer = `Authorization: Bearer ${service.account.test.token}`
    const paid = request("GET /v1/weather/settlement?station=KNYC", bearer)
    const { socket, received } = open(service.url)
    socket.write(`${paid}${request("POST /mcp", json, "Content-Length: 9")}{`)
    assert.deepStrictEqual(
      responses(await received).map(({ status }) => status),
      [200, 408],
    )
  })
})

// Not beside the hundred above: their work is not to be taken for its slowness.
describe("a body", () => {
  it("that arrives slowly but in time is read", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
    const { socket, received, closed } = await hold(
      service.url,
      `${request("POST /mcp", json, "Accept: application/json, text/event-stream", `Content-Length: ${body.length}`)}`,
    )
    socket.write(body.slice(0, 5))
    await closed(arriveMs / 3)
    socket.write(body.slice(5))
    while (!received().includes('"result"')) assert.isUndefined(await closed(20), received())
    socket.destroy()
  })
})

describe("connections that say nothing", () => {
  it("are closed before a request and stay open after one, longer than a proxy's", async () => {
    assert.isAbove(HttpServer.defaultLimits.keepAliveMs, 60_000)
    const silent = await hold(service.url, "")
    const partial = await hold(service.url, "GET / HT")
    const kept = await hold(service.url, request("GET /healthz"))
    for (const each of [silent, partial]) assert.isDefined(await each.closed(heldMs))
    // Longer than a request may take to arrive.
    assert.isUndefined(await kept.closed(arriveMs * 2))
    kept.socket.write(request("GET /healthz"))
    while (kept.received().split("HTTP/1.1 200").length < 3) assert.isUndefined(await kept.closed(20))
    for (const { socket } of [silent, partial, kept]) socket.destroy()
  })
})

describe("the operator's listener", () => {
  it("cuts them off as well", async () => {
    const after = await cut
    operator.socket.destroy()
    assert.isDefined(after)
  }, 30_000)

  it("closes behind a body that it does not read to its end", async () => {
    const { socket, received } = open(service.adminUrl!)
    const bearer = `Authorization: Bearer ${token}`
    const chunk = `11170\r\n${"x".repeat(0x11170)}\r\n`
    socket.write(`${request("POST /admin/v1/accounts", bearer, "Transfer-Encoding: chunked")}${chunk}`)
    assert.deepStrictEqual(
      responses(await received).map(({ status, headers }) => [status, headers["connection"]]),
      [[413, "close"]],
    )
  })
})

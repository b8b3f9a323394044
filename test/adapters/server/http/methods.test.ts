import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fail } from "../../../../core/Failure.ts"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"
import { exchange, open, request, responses } from "./exchange.ts"

const settlement = "/v1/weather/settlement?station=KNYC"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const bearer = () => `Authorization: Bearer ${service.account.live.token}`

describe("HEAD", () => {
  /** Different in every answer. */
  const own = ["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit"]

  it.each<[string, number]>([
    [settlement, 200],
    ["/v1/weather/stations", 200],
    ["/v1/weather/settlement", 400],
    ["/v1/weather/settlement?station=KNYC&day=1999-01-01", 404],
    ["/nowhere", 404],
    ["/v1/jobs/1", 410],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/errors/not_found", 200],
  ])("%s: the headers of GET, no body, no charge", async (path, status) => {
    const balance = await service.balance()
    const [get] = await exchange(service.url, request(`GET ${path}`, bearer(), "Connection: close"))
    const charged = balance - (await service.balance())
    const { socket, received } = open(service.url)
    socket.write(request(`HEAD ${path}`, bearer()) + request("GET /healthz", "Connection: close"))
    // The bytes right after the headers belong to the next response: there was no body.
    const [head, next] = responses(await received, [true])
    assert.deepStrictEqual([get!.status, head!.status, next!.status], [status, status, 200])
    assert.strictEqual(await service.balance(), balance - charged)

    // A Content-Length, if present, is that of GET's body, whose charge and duration differ.
    const { "content-length": length, connection: _, "keep-alive": __, ...headers } = head!.headers
    const { "content-length": expected, connection: ___, ...same } = get!.headers
    assert.deepStrictEqual(Object.keys(headers).sort(), Object.keys(same).sort())
    for (const name of Object.keys(same)) if (!own.includes(name)) assert.strictEqual(headers[name], same[name], name)
    if (length !== undefined) assert.strictEqual(length, expected)
  })

  it("has every check of GET: no key is a 401, an empty wallet a 402", async () => {
    assert.strictEqual((await fetch(service.url + settlement, { method: "HEAD" })).status, 401)
    const poor = await start({}, { balance: 0 })
    const { status, text } = await poor.get(settlement, undefined, { method: "HEAD" })
    assert.deepStrictEqual([status, text], [402, ""])
    await poor.stop()
  })
})

describe("OPTIONS", () => {
  it.each([settlement, "/v1/nfl/performance", "/healthz", "/nowhere", "*"])(
    "%s: a preflight without a key",
    async (path) => {
      const bytes = request(
        `OPTIONS ${path}`,
        "Origin: https://browser.example",
        "Access-Control-Request-Method: GET",
        "Access-Control-Request-Headers: authorization",
        "Connection: close",
      )
      const [{ status, headers, text }] = (await exchange(service.url, bytes)) as [
        { status: number; headers: Record<string, string>; text: string },
      ]
      assert.deepStrictEqual([status, text], [204, ""])
      assert.strictEqual(headers["access-control-allow-origin"], "*")
      assert.strictEqual(headers["access-control-allow-methods"], "GET, HEAD, POST, DELETE, OPTIONS")
      assert.include(headers["access-control-allow-headers"]!.toLowerCase(), "authorization")
      assert.match(headers["x-request-id"]!, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
      assert.isUndefined(headers["access-control-allow-credentials"])
      // RFC 9110, 8.6: none in a 204.
      assert.isUndefined(headers["content-length"])
      assert.isUndefined(headers["content-type"])
    },
  )

  it("every answer of the API surface can be read by a page of any origin, failures too", async () => {
    for (const path of [settlement, "/v1/weather/settlement", "/nowhere", "/v1/jobs/1"]) {
      const { headers } = await service.get(path, undefined, { headers: { origin: "https://browser.example" } })
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.include(headers.get("access-control-expose-headers"), "X-Request-Id")
    }
  })
})

describe("a path that does not exist", () => {
  it.each<[string, ReadonlyArray<string>]>([
    [
      "/v1/weather/signals",
      ["Did you mean /v1/weather/signal?", "GET /.well-known/agent-capabilities lists every endpoint."],
    ],
    ["/v2/something/else/entirely", ["GET /.well-known/agent-capabilities lists every endpoint."]],
  ])("%s: the nearest one first, then a small document", async (path, suggestions) => {
    const { status, json } = await service.get(path)
    assert.deepStrictEqual(
      [status, json.error.hints.map(({ suggestion }: { suggestion: string }) => suggestion)],
      [404, suggestions],
    )
  })

  it("and a method that a path does not have is told those that it has", async () => {
    const { json } = await service.get("/healthz", undefined, { method: "POST" })
    assert.match(json.error.hints[0].suggestion, /^Send GET, HEAD/)
  })
})

describe("the target of a request", () => {
  it("may be absolute, as a proxy's clients send it", async () => {
    const target = `http://${new URL(service.url).host}`
    const ask = async (path: string) =>
      (await exchange(service.url, request(`GET ${target}${path}`, bearer(), "Connection: close")))[0]!.status
    assert.strictEqual(await ask("/v1/weather/stations?fields=count"), 200)
    assert.strictEqual(await ask("/healthz"), 200)
    assert.strictEqual(await ask("/v1/jobs/1"), 410)
    assert.strictEqual(await ask(""), 404)
  })
})

describe("health", () => {
  it("reports liveness and readiness", async () => {
    assert.deepStrictEqual((await service.get("/healthz", "")).json, { status: "ok" })
    assert.deepStrictEqual((await service.get("/readyz", "")).json, { status: "ready" })
  })

  it("is not ready without its dependencies, and still alive", async () => {
    const ready = Effect.fail(fail("storage_unavailable", { retryAfterMs: 1_000 }))
    const broken = await Controlled.start({}, { ready })
    const response = await fetch(`${broken.url}/readyz`)
    assert.deepStrictEqual([response.status, response.headers.get("retry-after")], [503, "1"])
    const { error } = (await response.json()) as { error: { code: string; request_id: string } }
    assert.deepStrictEqual(
      [error.code, error.request_id],
      ["storage_unavailable", response.headers.get("x-request-id")],
    )
    assert.strictEqual((await fetch(`${broken.url}/readyz`, { method: "HEAD" })).status, 503)
    assert.strictEqual((await fetch(`${broken.url}/healthz`)).status, 200)
    await broken.stop()
  })

  it("a broken check answers with the error envelope; only the log has the reason", async () => {
    const broken = await Controlled.start({}, { ready: Effect.die(new Error("secret at /var/lib")) })
    const response = await fetch(`${broken.url}/readyz`)
    const text = await response.text()
    assert.deepStrictEqual([response.status, JSON.parse(text).error.code], [500, "internal_error"])
    assert.notInclude(text, "secret")
    assert.include(broken.log.join("\n"), "secret at /var/lib")
    await broken.stop()
  })
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as OpenFiles from "../../adapters/runtime/node/openFiles.ts"
import * as HttpServer from "../../adapters/server/http/server.ts"
import { type Running, start } from "../support/running.ts"

describe("a keep-alive connection", () => {
  it("outlives those of common proxies", async () => {
    const service = await start()
    const answer = await fetch(`${service.url}/healthz`)
    assert.strictEqual(answer.headers.get("keep-alive"), "timeout=75")
    assert.isAbove(HttpServer.defaultLimits.keepAliveMs, 60_000)
    await service.stop()
  })
})

describe("connections and files", () => {
  it.each([
    [10_000, 1_048_576, 10_000],
    [10_000, 1_024, 896],
    [10_000, 400, 272],
    [10_000, 100, 50],
    [200, 1_024, 200],
  ])("of %d with %d files are %d", (wanted, files, expected) => {
    assert.strictEqual(OpenFiles.limitConnections(wanted, files), expected)
  })
  it("asks the system", () => assert.isAbove(OpenFiles.limitConnections(50), 0))
})

describe("HEAD of a list", () => {
  let service: Running
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  it.each(["text/csv", "application/x-ndjson"])("as %s says nothing of the page behind it", async (accept) => {
    const path = "/v1/nfl/games?season=2025&limit=1"
    const head = await service.get(path, service.account.live.token, { method: "HEAD", headers: { accept } })
    const paid = await fetch(service.url + path, {
      headers: { accept, authorization: `Bearer ${service.account.live.token}` },
    })
    assert.isNotNull(paid.headers.get("x-next-cursor"))
    assert.include(paid.headers.get("link"), 'rel="next"')
    assert.deepStrictEqual(
      [head.status, head.headers.get("x-next-cursor"), head.headers.get("link")],
      [200, null, null],
    )
  })
})

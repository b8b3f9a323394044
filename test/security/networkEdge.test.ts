import { existsSync, linkSync, statSync, unlinkSync, writeFileSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as OpenFiles from "../../adapters/runtime/node/openFiles.ts"
import * as HttpServer from "../../adapters/server/http/server.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const token = "an-operator's-token-of-32-characters"
const folder = makeFolder()
afterAll(() => removeFolder(folder))

const startAt = (path: string) =>
  start({ admin: { token: Option.some(Redacted.make(token)), listen: Option.some({ path }) } })

/** What a request to a Unix socket answers. */
const over = (socketPath: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest({ socketPath, path: "/admin/v1/accounts", headers: { ...headers, connection: "close" } })
    sent.on("response", (answer) => {
      answer.resume()
      answer.on("end", () => resolve(answer.statusCode!))
    })
    sent.on("error", reject)
    sent.end()
  })

const authorization = `Bearer ${token}`

describe("the admin API on a Unix socket", () => {
  it("is its owner's alone, needs the token, and goes with the server", async () => {
    const path = join(folder, "admin.sock")
    const service = await startAt(path)
    assert.strictEqual(service.adminUrl, path)
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    assert.deepStrictEqual([await over(path, { authorization }), await over(path, {})], [200, 401])
    assert.strictEqual((await service.get("/admin/v1/accounts", token)).status, 404)
    await service.stop()
    assert.isFalse(existsSync(path))
  })

  it("takes the place of a socket that a killed server left", async () => {
    const path = join(folder, "stale.sock")
    // A listener whose file outlives it, as a kill leaves it: what node would remove lies elsewhere by then.
    const left = createServer()
    await new Promise<void>((resolve) => left.listen(path, resolve))
    linkSync(path, `${path}.kept`)
    await new Promise((resolve) => left.close(resolve))
    linkSync(`${path}.kept`, path)
    unlinkSync(`${path}.kept`)
    assert.isTrue(statSync(path).isSocket())
    const service = await startAt(path)
    assert.strictEqual(await over(path, { authorization }), 200)
    await service.stop()
  })

  it("takes the place of nothing else", async () => {
    const file = join(folder, "precious")
    writeFileSync(file, "kept")
    const used = join(folder, "used.sock")
    const other = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => other.listen(used, resolve))
    for (const [path, said] of [
      [file, "is not a socket"],
      [used, "is in use"],
      [join(folder, "missing", "x.sock"), "Cannot listen"],
    ] as const) {
      const message = await startAt(path).then(
        () => "started",
        (error: unknown) => String(error),
      )
      assert.include(message, said)
    }
    assert.strictEqual(statSync(file).size, 4)
    assert.isTrue(statSync(used).isSocket())
    await new Promise((resolve) => other.close(resolve))
  })
})

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

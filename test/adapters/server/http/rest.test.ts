import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../../support/running.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const page = "text/html,application/xhtml+xml,*/*;q=0.8"

describe("a path that is not served", () => {
  it.each<[method: string, path: string, accept: string | undefined, type: string]>([
    ["GET", "/nowhere", page, "text/html"],
    ["HEAD", "/nowhere", page, "text/html"],
    ["POST", "/nowhere", page, "application/json"],
    ["GET", "/nowhere", "*/*", "application/json"],
    ["GET", "/nowhere", "application/json, text/html;q=0.9", "application/json"],
    ["GET", "/v1", page, "application/json"],
    ["GET", "/v1/nowhere", page, "application/json"],
    ["GET", "/v1nowhere", page, "text/html"],
    ["GET", "/nowhere", undefined, "application/json"],
    ...["/mcp/nowhere", "/schemas/nowhere", "/.well-known/nowhere", "/admin/v1/accounts"].map(
      (path): [string, string, string, string] => ["GET", path, page, "application/json"],
    ),
  ])("%s %s, which accepts %s: %s", async (method, path, accept, type) => {
    const response = await fetch(service.url + path, { method, headers: accept === undefined ? {} : { accept } })
    assert.deepStrictEqual([response.status, response.headers.get("content-type")!.split(";")[0]], [404, type])
  })

  it("names the path that it resembles, if one is near", async () => {
    const hints = async (path: string) => (await service.get(path)).json.error.hints
    assert.deepStrictEqual((await hints("/v1/weather/settlemnt"))[0], {
      ...{ field: "path", action: "change", suggestion: "Did you mean /v1/weather/settlement?" },
    })
    assert.notInclude(JSON.stringify(await hints("/v1/nothing/like/it")), "Did you mean")
  })
})

it("the probes are documented: liveness cannot fail, readiness can", async () => {
  const { paths } = (await service.get("/openapi.json")).json
  const statuses = ["/healthz", "/readyz"].map((path) => Object.keys(paths[path].get.responses))
  assert.deepStrictEqual(statuses, [
    ["200", "405"],
    ["200", "405", "503"],
  ])
})

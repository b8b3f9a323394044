import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as AdminOperation from "../../../../adapters/admin/AdminOperation.ts"
import { verbs } from "../../../../adapters/admin/verbs.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"
import * as adminClient from "./adminClient.ts"
import { admin, token } from "./adminClient.ts"

let service: Running
beforeAll(async () => {
  service = await start({ admin })
})
afterAll(() => service.stop())

/** Asks the admin API of this file's server. */
const send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  url: string | undefined = service.adminUrl,
) => adminClient.send(url, method, path, body, headers)

describe("access to the admin API", () => {
  const paths = ["accounts", "openapi.json", "nowhere"]

  it.each([
    ["no token", "", "missing_authorization"],
    ["Basic", "Basic dXNlcjpwYXNz", "missing_authorization"],
    ["another token", `Bearer ${"x".repeat(36)}`, "invalid_api_key"],
    ["a longer one", `Bearer ${token}x`, "invalid_api_key"],
    ["a shorter one", `Bearer ${token.slice(1)}`, "invalid_api_key"],
  ])("%s is rejected on every path", async (_, authorization, code) => {
    for (const path of paths) {
      const { status, json, headers } = await send("GET", path, undefined, { authorization })
      assert.deepStrictEqual([status, json.error.code], [401, code])
      assert.strictEqual(headers.get("www-authenticate"), "Bearer")
    }
  })

  it("an API key is not an admin token, nor the reverse", async () => {
    const { status } = await send("GET", "accounts", undefined, {
      authorization: `Bearer ${service.account.live.token}`,
    })
    assert.strictEqual(status, 401)
    assert.strictEqual((await service.get("/v1/weather/stations", token)).status, 401)
  })

  it("without a configured token the API does not exist", async () => {
    const without = await start()
    for (const path of paths) {
      const { status, json } = await send("GET", path, undefined, {}, without.url)
      assert.deepStrictEqual([status, json.error.code, without.adminUrl], [404, "not_found", undefined])
    }
    await without.stop()
  })

  it("the public listener does not serve it, with or without token, local or remote", async () => {
    const forwarded: Record<string, string> = { forwarded: "for=203.0.113.9", "x-forwarded-for": "203.0.113.9" }
    for (const headers of [{}, forwarded]) {
      for (const path of paths) {
        const { status, json } = await send("GET", path, undefined, headers, service.url)
        assert.deepStrictEqual([status, json.error.code], [404, "not_found"])
      }
    }
    // Paths that the operator's listener does not serve.
    for (const path of ["/v1/weather/stations", "/v1/key", "/openapi.json", "/healthz"]) {
      assert.strictEqual((await send("GET", path)).status, 404)
    }
  })
})

describe("wrong tokens", () => {
  it("are limited, and logged without their text once a minute", async () => {
    const log: Array<string> = []
    const guessed = await start({ admin }, { log })
    const ask = async (authorization: string) =>
      (await send("GET", "accounts", undefined, { authorization }, guessed.adminUrl)).status
    let tries = 0
    while (tries < 400 && (await ask(`Bearer guess-${String(tries).padStart(30, "0")}`)) === 401) tries++
    assert.isAtLeast(tries, 30)
    assert.isBelow(tries, 400)
    // Programs beside the operator's own on one address do not lock it out.
    assert.strictEqual(await ask(`Bearer ${token}`), 200)
    assert.strictEqual(await ask("Bearer guess"), 429)
    const lines = log.filter((line) => line.includes("Wrong admin tokens"))
    assert.lengthOf(lines, 1)
    assert.include(lines[0]!, "127.0.0.1")
    assert.notInclude(log.join("\n"), "guess-")
    await guessed.stop()
  })
})

describe("the OpenAPI document of the admin API", () => {
  it("describes exactly the operations and their parameters", async () => {
    const { status, json } = await send("GET", "openapi.json")
    assert.deepStrictEqual([status, json.openapi], [200, "3.1.0"])
    const described = Object.entries<Record<string, { readonly operationId: string }>>(json.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    )
    const all: ReadonlyArray<AdminOperation.Any> = Object.values(verbs(catalogue))
    assert.sameMembers(
      described,
      all.map((verb) => `${Endpoint.methodOf(verb)} ${verb.path.replace(/:(\w+)/g, "{$1}")} ${verb.id}`),
    )
    for (const verb of all) {
      const { parameters = [], requestBody } =
        json.paths[verb.path.replace(/:(\w+)/g, "{$1}")][Endpoint.methodOf(verb).toLowerCase()]
      const named = [
        ...parameters.map(({ name }: { readonly name: string }) => name),
        ...Object.keys(requestBody?.content["application/json"].schema.properties ?? {}),
      ]
      assert.sameMembers(named, Object.keys(verb.params.fields), verb.id)
      for (const parameter of parameters) {
        assert.strictEqual(parameter.in === "path", Endpoint.pathParamNames(verb).has(parameter.name))
        if (parameter.in === "path") assert.isTrue(parameter.required)
      }
    }
    const { properties, required } =
      json.paths["/admin/v1/accounts/{account}/keys"].post.requestBody.content["application/json"].schema
    assert.deepStrictEqual(required, ["environment"])
    assert.deepStrictEqual(properties.scopes.items.enum, [...catalogue.lanes.map(({ name }) => name), "manage"])
    assert.notInclude(JSON.stringify(json), '"$ref":"#/$defs')
  })
})

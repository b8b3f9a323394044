import { assert, describe, it } from "@effect/vitest"
import * as Pricing from "../../../../adapters/describe/tools/pricing.ts"
import * as Schemas from "../../../../adapters/describe/tools/schemas.ts"
import * as mcp from "../../../../adapters/server/mcp/mod.ts"
import { display } from "../../../../core/account/Money.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../../core/endpoint/Select.ts"
import { Manage } from "../../../../core/lanes/account/Manage.ts"
import { catalogue } from "../../../../core/lanes/all.ts"

const all = mcp.listTools(catalogue, { scopes: [...catalogue.lanes.map(({ name }) => name), "manage"] })
const listed = mcp.listTools(catalogue)
const sold = Catalogue.live(catalogue).map(({ endpoint }) => endpoint)
const managing: ReadonlyArray<Endpoint.Any> = Object.values(Manage.lane.endpoints)
const named = (name: string) => all.find((tool) => tool.name === name)!
const propertiesOf = (name: string) => named(name).inputSchema["properties"] as Record<string, object>

describe("MCP tools", () => {
  it("are the endpoints of the live catalogue, `pricing` and `wallet`, with their prices; of a key that manages also what it may", () => {
    assert.deepStrictEqual(
      listed.map(({ name, _meta }) => [name, _meta.price_micros]),
      [...sold.map(({ id, priceMicros }) => [id, priceMicros]), ["pricing", 0], ["wallet", 0], ["find", 0]],
    )
    assert.sameMembers(
      all.map(({ name }) => name),
      [...listed.map(({ name }) => name), ...managing.map(({ id }) => id)],
    )
    for (const { path, id } of sold) assert.strictEqual(id, path.slice("/v1/".length).replace(/[/-]/g, "_"))
    for (const { name, description, _meta } of listed) {
      assert.match(name, /^[a-z0-9_]{1,64}$/)
      assert.isTrue(description.endsWith(_meta.price_micros === 0 ? "ree." : `Price: ${display(_meta.price_micros)}.`))
    }
  })

  it("say which need no key", () => {
    for (const { id, auth } of sold) {
      assert.strictEqual(named(id)._meta.auth ?? "key", auth)
      assert.strictEqual(named(id).description.endsWith("No key, free."), auth === "none")
    }
  })

  it("say when to call which, and where ids come from, by the names of tools alone", () => {
    const names = new Set(all.map(({ name }) => name))
    for (const { name, title, description, inputSchema } of all) {
      assert.isAtMost(title.length, 32)
      assert.isAtMost(description.length, 230, name)
      const text = description + JSON.stringify(inputSchema)
      assert.notInclude(text, "/v1/", name)
      for (const [, other] of text.matchAll(/`([a-z0-9]+_[a-z0-9_]+)`/g)) {
        const isParam = all.some((tool) => Object.hasOwn(propertiesOf(tool.name), other!))
        const isField = sold.some(({ results }) => Select.compile(results).paths.some((path) => path.endsWith(other!)))
        assert.isTrue(names.has(other!) || isParam || isField || other === "next_cursor", `${name}: ${other}`)
      }
    }
    for (const { id, use } of sold) assert.isDefined(use, id)
  })

  it("announce the end of an endpoint", () => {
    const deprecated = Endpoint.declare({
      ...catalogue.get("weather_stations"),
      deprecation: { since: "2026-01-01", sunset: "2026-06-01" },
    })
    const lane = catalogue.byId.get("weather_stations")!.lane
    const [tool] = mcp.listTools(Catalogue.make({ ...lane, endpoints: { stations: deprecated } }))
    assert.include(tool!.description, "Deprecated since 2026-01-01, removed after 2026-06-01.")
  })

  it("describe every parameter and option in a self-contained schema", () => {
    for (const { id, params, kind, priceMicros, writes } of [...sold, ...managing]) {
      assert.sameMembers(Object.keys(propertiesOf(id)), [
        ...Object.keys(params.fields),
        ...["fields", "verbose"],
        ...(kind === "Signal" ? ["include"] : []),
        ...(priceMicros > 0 ? ["dry_run"] : []),
        ...(priceMicros > 0 || writes !== undefined ? ["idempotency_key"] : []),
      ])
      assert.notInclude(JSON.stringify(named(id).inputSchema), "$ref")
    }
    assert.deepStrictEqual(named("weather_settlement").inputSchema["required"], ["station"])
    assert.deepStrictEqual(Object.keys(propertiesOf("pricing")), ["calls"])
  })

  it("have schemas without effect/Schema's own descriptions", () => {
    const whole = [...sold.map(Schemas.output), Pricing.output]
    for (const schema of [
      ...listed.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]),
      ...whole,
    ]) {
      const text = JSON.stringify(schema)
      assert.strictEqual(schema.type, "object")
      assert.notMatch(text, /"title":"|"\$id"|"description":"an? /)
      const defined = new Set(Object.keys((schema["$defs"] ?? {}) as object))
      for (const [, name] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) assert.isTrue(defined.has(name!), name)
    }
  })

  it("outline their answers: every field of the results, and nothing of the envelope, in whose place terms of payment may be", () => {
    for (const endpoint of sold) {
      const { outputSchema } = named(endpoint.id)
      const { properties, required } = outputSchema as { properties?: Record<string, object>; required?: Array<string> }
      const isKeyed = endpoint.auth === "key"
      assert.deepStrictEqual(required, undefined)
      const results = JSON.stringify(isKeyed ? properties!["results"] : outputSchema)
      for (const path of Select.compile(endpoint.results).paths.filter((each) => !each.includes("."))) {
        assert.include(results, `"${path}":{`, endpoint.id)
      }
    }
  })

  it("that spend say that they change something, and destroy nothing", () => {
    for (const { id, priceMicros, writes } of [...sold, ...managing]) {
      const { readOnlyHint, destructiveHint } = named(id).annotations
      const isFree = priceMicros === 0 && writes === undefined
      assert.deepStrictEqual(
        [readOnlyHint, destructiveHint],
        [isFree, isFree || writes === "destructive" ? undefined : false],
        id,
      )
    }
  })

  it("plan calls with their arguments", () => {
    const call = { tool: "weather_settlement_history", arguments: { station: "KNYC", start: "2026-01-01" } }
    assert.deepStrictEqual(Pricing.toPlan({ calls: [call, { tool: "crypto_signal" }, 5] }), {
      calls: [{ endpoint: call.tool, params: call.arguments }, { endpoint: "crypto_signal" }, 5],
    })
  })
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import * as Pricing from "../../../../adapters/describe/tools/pricing.ts"
import * as Schemas from "../../../../adapters/describe/tools/schemas.ts"
import * as ToolList from "../../../../adapters/describe/tools/tools.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { extras } from "../../../../core/endpoint/Options.ts"
import * as Select from "../../../../core/endpoint/Select.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { clockAt } from "../../../support/clock.ts"
import { requestOf } from "../../../support/requests.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect } from "./clients.ts"

const validators = new AjvJsonSchemaValidator()
/** By what the tools list, in outline. */
const validate = new Map(
  ToolList.list(catalogue).map(({ name, outputSchema }) => [name, validators.getValidator(outputSchema)]),
)
/** By the whole schemas, which are resources. */
const validateWhole = new Map([
  ...Catalogue.live(catalogue).map(
    ({ endpoint }) => [endpoint.id, validators.getValidator(Schemas.output(endpoint))] as const,
  ),
  [Pricing.name, validators.getValidator(Pricing.output)] as const,
])

type Json = Readonly<Record<string, unknown>>

let service: Running
let client: Client
beforeAll(async () => {
  service = await start({}, { clock: clockAt(Date.parse("2026-08-20T15:04:05Z")) })
  client = await connect(service.url, "2026-07-28", service.account.live.token)
})
afterAll(async () => {
  await client.close()
  await service.stop()
})

const spent = async <A>(call: () => Promise<A>) => {
  const before = [await service.balance(), await service.charges()] as const
  const answer = await call()
  return { answer, micros: before[0] - (await service.balance()), charges: (await service.charges()) - before[1] }
}

const ask = async (name: string, args: Json) => {
  const { answer, micros, charges } = await spent(() => client.callTool({ name, arguments: { ...args } }))
  const [{ text }] = answer.content as unknown as readonly [{ text: string }]
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
  return { ...answer, body: JSON.parse(text) as any, micros, charges }
}

/** Removes the differences between two answers to the same call: ids, times, and links, which are paths or tools. */
const steady = ({ _meta, _links, ...body }: Json): Json => {
  if (_meta === undefined) return body
  const { request_id: _id, latency_ms: _ms, tokens_estimated: _tokens, ...meta } = _meta as Json
  return { ...body, _meta: meta }
}

const rows: ReadonlyArray<readonly [id: string, endpoint: Endpoint.Any]> = Catalogue.live(catalogue).map(
  ({ endpoint }) => [endpoint.id, endpoint],
)

/** Calls in addition to the example. */
const variants = (endpoint: Endpoint.Any): ReadonlyArray<Json> => {
  const { paths } = Select.compile(endpoint.results)
  return [
    {},
    { verbose: true },
    { fields: ["*"] },
    { fields: paths.slice(0, 1) },
    { fields: [paths.at(-1), paths[Math.floor(paths.length / 2)]] },
    ...(endpoint.auth === "key" ? [{ include: extras }, { dry_run: true }] : []),
  ]
}

describe("each tool and its endpoint", () => {
  it.each(rows)("%s: equal data, equal price, one charge each", async (id, endpoint) => {
    const [target, init] = requestOf(endpoint, endpoint.example as Json)
    const overHttp = await spent(() => service.get(target, undefined, init))
    const overMcp = await ask(id, endpoint.example as Json)
    const { status, json } = overHttp.answer
    assert.strictEqual(overMcp.isError === true, status !== 200)
    assert.deepStrictEqual([overMcp.micros, overMcp.charges], [overHttp.micros, overHttp.charges])
    if (status === 200) {
      assert.deepStrictEqual(steady(overMcp.body), steady(json))
      assert.deepStrictEqual(overMcp.structuredContent, overMcp.body)
      assert.deepStrictEqual(
        [overMcp.micros, overMcp.charges],
        // The contract of that example has settled.
        id === "markets_history" ? [0, 0] : [endpoint.priceMicros, endpoint.priceMicros > 0 ? 1 : 0],
      )
    } else {
      // A lane without its service fails alike, and is not charged.
      assert.deepStrictEqual([overMcp.body.error.code, overMcp.micros], [json.error.code, 0])
      assert.strictEqual(json.error.code, "data_provider_unavailable")
    }
  })

  it.each(rows)("%s: every structured answer is what its output schema and its resource say", async (id, endpoint) => {
    for (const variant of variants(endpoint)) {
      const { isError, body, structuredContent } = await ask(id, { ...(endpoint.example as Json), ...variant })
      assert.isUndefined(isError, JSON.stringify(body))
      for (const validator of [validate.get(id)!, validateWhole.get(id)!]) {
        const { valid, errorMessage } = validator(structuredContent)
        assert.isTrue(valid, `${JSON.stringify(variant)}: ${errorMessage}`)
      }
    }
  })

  it("covers enough of the catalogue to mean something", async () => {
    const answered = await Promise.all(
      rows.map(
        async ([id, endpoint]) => (await ask(id, { ...(endpoint.example as Json), verbose: true })).isError !== true,
      ),
    )
    assert.isAtLeast(answered.filter(Boolean).length, rows.length / 2)
  })
})

describe("the words of tools", () => {
  it("are those of links and next steps, which can be called as they stand", async () => {
    let called = 0
    for (const [id, endpoint] of rows.filter(([, { auth }]) => auth === "key")) {
      const { body, isError } = await ask(id, { ...(endpoint.example as Json), include: extras })
      if (isError === true) continue
      assert.notInclude(JSON.stringify(body._suggestions), "/v1/", id)
      const links: ReadonlyArray<string> = body._links.flatMap(({ endpoints }: Json) => endpoints)
      for (const link of links) {
        const [, name, args = "{}"] = /^([a-z0-9_]+)(?: (\{.*\}))?$/.exec(link) ?? []
        assert.isTrue(rows.some(([tool]) => tool === name) || name === "wallet", `${id}: ${link}`)
        if (called++ % 5 === 0) assert.isUndefined((await ask(name!, JSON.parse(args))).isError, link)
      }
    }
    assert.isAbove(called, 20)
  })

  it.each<[string, Json, RegExp]>([
    ["mlb_fair_odds", { game_pk: 1 }, /mlb_games/],
    ["nfl_fair_line", {}, /nfl_games/],
    [
      "pricing",
      { calls: [{ name: "crypto_signal" }] },
      /Unknown field name in item 1 of calls\. Known: tool, arguments\./,
    ],
  ])("are those of the errors of %s", async (name, args, words) => {
    const { isError, body } = await ask(name, args)
    assert.isTrue(isError)
    assert.match(JSON.stringify(body.error), words)
    assert.notInclude(JSON.stringify(body.error), "/v1/")
  })
})

describe("the outline of an answer", () => {
  const settlement = async () => (await ask("weather_settlement", { station: "KNYC" })).body
  it.each<[string, (body: Json) => Json]>([
    ["results of another type", (body) => ({ ...body, results: [] })],
    ["a field of another type", (body) => ({ ...body, results: { station: "KNYC" } })],
  ])("refuses %s", async (_, change) => {
    assert.isFalse(validate.get("weather_settlement")!(change(await settlement())).valid)
  })
})

describe("the whole schema of an answer", () => {
  const settlement = async () => (await ask("weather_settlement", { station: "KNYC" })).body
  it.each<[string, (body: Json) => Json]>([
    ["a field that is not declared", (body) => ({ ...body, results: { ...(body["results"] as Json), extra: 1 } })],
    ["a field of another type", (body) => ({ ...body, results: { station: { id: 5 } } })],
    ["an envelope without its price", ({ _meta: _, ...body }) => body],
    ["no results", ({ results: _, ...body }) => body],
    ["a confidence above one", (body) => ({ ...body, _confidence: { score: 2, label: "settlement", factors: [] } })],
  ])("refuses %s", async (_, change) => {
    assert.isFalse(validateWhole.get("weather_settlement")!(change(await settlement())).valid)
  })
})

describe("pricing", () => {
  it("lists the catalogue's prices, free and without a key", async () => {
    const nobody = await connect(service.url, "2026-07-28", undefined)
    const { structuredContent, isError } = await nobody.callTool({ name: "pricing", arguments: {} })
    await nobody.close()
    assert.isUndefined(isError)
    for (const each of [validate, validateWhole]) assert.isTrue(each.get("pricing")!(structuredContent).valid)
    const list = structuredContent as {
      tools: ReadonlyArray<{ tool: string; price: { micros: number } }>
      free: number
    }
    assert.deepStrictEqual(
      list.tools.map(({ tool, price }) => [tool, price.micros]),
      rows.map(([id, { priceMicros }]) => [id, priceMicros]),
    )
    assert.strictEqual(list.free, Catalogue.counts(catalogue).free)
  })

  it("estimates a plan as HTTP does, and charges nothing", async () => {
    const calls = [
      { endpoint: "weather_settlement", params: { station: "KNYC" } },
      { endpoint: "/v1/crypto/signal", params: { asset: "ETH" } },
      { endpoint: "weather_settlement", params: { station: "KXXX" } },
    ]
    const plan = await ask("pricing", { calls })
    const { json } = await service.get("/v1/plan/estimate", undefined, {
      method: "POST",
      body: JSON.stringify({ calls }),
    })
    assert.deepStrictEqual(steady(plan.body), steady(json))
    assert.deepStrictEqual([plan.body.results.total_micros, plan.micros], [11_000, 0])
    for (const each of [validate, validateWhole]) assert.isTrue(each.get("pricing")!(plan.structuredContent).valid)
  })

  it.each<[string, unknown]>([
    ["no list", "weather_settlement"],
    ["an empty list", []],
    ["null", null],
    ["a call without an endpoint", [{}]],
  ])("%s is an error that names the argument", async (_, calls) => {
    const { isError, body } = await ask("pricing", { calls })
    assert.isTrue(isError)
    assert.strictEqual(body.error.hints[0].field, "calls")
    assert.notMatch(JSON.stringify(body.error.hints), /endpoint|params/)
  })
})

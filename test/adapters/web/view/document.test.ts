import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as OpenApi from "../../../../adapters/describe/openapi.ts"
import { type Call, exampleTarget } from "../../../../adapters/describe/operation.ts"
import * as Schemas from "../../../../adapters/describe/schemas.ts"
import * as Protocol from "../../../../adapters/describe/tools/protocol.ts"
import { markdown } from "../../../../adapters/describe/versions.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import * as signer from "../../../../adapters/runtime/node/signer.ts"
import * as Route from "../../../../adapters/server/http/route.ts"
import * as Pages from "../../../../adapters/web/docs/pages.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Event from "../../../../core/events/Event.ts"
import { newSecret, headers as signedHeaders } from "../../../../core/events/signature.ts"
import { codes } from "../../../../core/Failure.ts"
import { withAccount } from "../../../../core/lanes/account/Account.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { endpoints as record, verifierPath } from "../../../../core/record/log/endpoints.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { manageScope } from "../../../../core/rights/Rights.ts"
import { leaves, origin } from "../../../support/record.ts"
import { type Running, start } from "../../../support/running.ts"

interface Operation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly security: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly example?: unknown
    readonly schema: { readonly enum?: ReadonlyArray<string> }
  }>
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<
            string,
            { readonly schema: object; readonly examples?: { readonly recorded: { readonly value: unknown } } }
          >
        >
      }
    >
  >
  readonly "x-error-codes"?: ReadonlyArray<string>
  readonly "x-price-micros"?: number
  readonly deprecated?: true
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

let running: Running
let text: string
// biome-ignore lint/suspicious/noExplicitAny: a document that other programs judge
let document: any
let operations: ReadonlyArray<Described>

beforeAll(async () => {
  running = await start({}, { balance: 10_000_000 })
  // Data for the proofs: one signed leaf.
  await running.run(
    Effect.zipRight(
      Effect.flatMap(RecordLog, (log) => log.append(leaves(0, 1))),
      Effect.provide(signCheckpoint, signer.layerMemory(origin)),
    ),
  )
  text = (await running.get("/openapi.json", "")).text
  document = JSON.parse(text)
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
})
afterAll(() => running.stop())

/** The concrete paths of a template. */
const expanded = ({ path, operation }: Described): ReadonlyArray<string> => {
  const [given] = (operation.parameters ?? []).filter((parameter) => parameter.in === "path")
  return given === undefined
    ? [path]
    : (given.schema.enum ?? [String(given.example)]).map((value) => path.replace(`{${given.name}}`, value))
}

/** The call of an operation's examples. */
const exampleOf = ({ path, method, operation }: Described): readonly [target: string, init: RequestInit] => {
  const query = new URLSearchParams()
  let target = path
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === "path") target = target.replace(`{${name}}`, String(example))
    if (place === "query" && example !== undefined) query.set(name, String(example))
  }
  const body = operation.requestBody?.content["application/json"].example
  return [
    query.size === 0 ? target : `${target}?${query}`,
    body === undefined
      ? { method: method.toUpperCase() }
      : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
  ]
}

/** The example of the parameters in an endpoint's path. */
const pathExample = (endpoint: Endpoint.Any): object =>
  Object.fromEntries(Object.entries(endpoint.example as object).filter(([name]) => endpoint.path.includes(`:${name}`)))

/** A schema of the document by itself, with the definitions that it refers to alone: a validator reads all of them. */
const standalone = (schema: object) => {
  const definitions: Record<string, object> = {}
  const collect = (part: object): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name! in definitions) continue
      definitions[name!] = document.components.schemas[name!]
      collect(definitions[name!]!)
    }
  }
  collect(schema)
  const whole = JSON.stringify({ type: "object", ...schema, $defs: definitions })
  return JSON.parse(whole.replaceAll("#/components/schemas/", "#/$defs/"))
}

const proofs = Object.entries(record).map(([method, endpoint]) => ({ endpoint, method, lane: catalogue.lanes[0]! }))

const ofMcp = (legacySse: boolean) => {
  const nothing = () => {}
  const paths = new Set(legacySse ? Object.values(Protocol.paths) : [Protocol.paths.streamable])
  return Route.fromMount({ paths, onRequest: nothing, onRefused: nothing, onDrain: nothing })
}

/** Document paths of installations with these routes, and of one with all features. */
const documentsOf = async (others: ReadonlyArray<Route.Route>): Promise<Array<string>> => {
  const options = { baseUrl: "http://x", securityContact: "mailto:a@example.com" }
  return (await Effect.runPromise(Effect.scoped(Pages.make(catalogue, options, others)))).map(({ path }) => path)
}

describe("the OpenAPI document", () => {
  it("has defaults that fit their schemas, and patterns that compile", () => {
    const validators = new AjvJsonSchemaValidator()
    const found: Array<{ readonly type: "object"; readonly default?: unknown }> = []
    JSON.parse(text, (_, value) => {
      if (Object(value) === value && "type" in value && ("default" in value || "pattern" in value)) found.push(value)
      return value
    })
    assert.isAbove(found.length, 10)
    for (const schema of found) {
      const isValid = validators.getValidator(schema)
      if ("default" in schema) assert.isTrue(isValid(schema.default).valid, JSON.stringify(schema))
    }
  })

  it("describes all served routes and no others", async () => {
    const served = [
      ...new Set(
        withAccount(catalogue).entries.map(({ endpoint }) =>
          exampleTarget({ ...endpoint, example: pathExample(endpoint) } as Call),
        ),
      ),
      "/v1/alerts/events",
      ...(await documentsOf([...Route.fromEntries([...withAccount(catalogue).entries, ...proofs]), ...ofMcp(true)])),
      ...proofs.map(({ endpoint }) => endpoint.path),
      verifierPath,
      ...[
        "/install",
        "/forecasts",
        "/record",
        "/scoreboard",
        "/scoreboard/settled.csv",
        "/scoreboard/settled.ndjson",
        "/scoreboard/settled.json",
        "/scoreboard/settled.parquet",
        "/scoreboard/manifest.json",
      ],
      ...["/healthz", "/readyz", "/status", "/docs/health", "/docs/proof"],
    ].filter((path) => path !== "/.well-known/security.txt")
    assert.sameMembers([...new Set(operations.flatMap(expanded))], served)
    for (const path of served) {
      const { status, headers } = await running.get(path, "", { method: "PATCH" })
      assert.strictEqual(status, 405, path)
      const methods = operations
        .filter((each) => expanded(each).includes(path))
        .map(({ method }) => method.toUpperCase())
      assert.sameMembers(
        headers
          .get("allow")!
          .split(", ")
          .filter((each) => each !== "HEAD" && each !== "OPTIONS"),
        methods,
      )
    }
  })

  it("omits routes that are not served", async () => {
    const all = await documentsOf([...Route.fromEntries(proofs), ...ofMcp(false)])
    const few = await documentsOf([])
    assert.includeMembers(all, ["/.well-known/mcp", "/.well-known/mcp/server-card", "/schemas/v1/ProofInclusion.json"])
    assert.notIncludeMembers(few, [
      "/.well-known/mcp",
      "/.well-known/mcp/server-card",
      "/schemas/v1/ProofInclusion.json",
    ])
  })

  it("has an example for each operation, which answers 200 and matches the schema", { timeout: 120_000 }, async () => {
    const validators = new AjvJsonSchemaValidator()
    const manager = await running.run(
      Effect.flatMap(Accounts, (accounts) =>
        accounts.issueKey({
          account: running.account.id,
          environment: "live",
          scopes: [...catalogue.lanes.map(({ name }) => name), manageScope],
        }),
      ),
    )
    /** The ids of what was made, in place of those of the examples. */
    const made = new Map<string, string>()
    for (const each of operations) {
      const { operation } = each
      // A stream does not end.
      if (operation.operationId === "alerts_events") continue
      const [example, init] = exampleOf(each)
      const target = [...made].reduce((path, [of, id]) => path.replace(of, id), example)
      const token = operation.tags.includes(manageScope)
        ? Redacted.value(manager.plaintext)
        : running.account.live.token
      const response = await fetch(running.url + target, {
        ...init,
        headers: {
          ...(operation.security.length === 0 ? {} : { authorization: `Bearer ${token}` }),
          ...init.headers,
        },
      })
      const body = await response.text()
      assert.strictEqual(response.status, 200, `${target}: ${body.slice(0, 300)}`)
      const [id, prefix] = /"(alt|whk)_\w{26}"/.exec(body) ?? []
      if (id !== undefined) made.set(`${prefix}_${"0".repeat(26)}`, JSON.parse(id))
      const content = operation.responses["200"]!.content!
      const type = response.headers.get("content-type")!.split(";")[0]!
      assert.property(content, type, target)
      if (type !== "application/json") continue
      const found = validators.getValidator(standalone(content[type]!.schema))(JSON.parse(body))
      assert.isTrue(found.valid, `${target}: ${found.errorMessage}`)
    }
  })

  it("names price, codes and key of every endpoint as the catalogue has them", () => {
    const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]))
    const named = new Set<string>()
    for (const { endpoint } of catalogue.entries) {
      const operation = byId.get(endpoint.id)!
      assert.strictEqual(operation["x-price-micros"], endpoint.priceMicros)
      assert.strictEqual(operation.security.length, endpoint.auth === "key" ? 1 : 0)
      assert.strictEqual(operation["x-error-codes"]!.includes("insufficient_funds"), Endpoint.charge(endpoint) > 0)
      for (const code of operation["x-error-codes"]!) {
        named.add(code)
        assert.property(operation.responses, String(codes[code as keyof typeof codes].status))
      }
    }
    for (const { operation } of operations) for (const code of operation["x-error-codes"] ?? []) named.add(code)
    // Codes that no operation of this version answers: reserved, or answered outside operations.
    const others = Object.keys(codes).filter((code) => !named.has(code))
    assert.sameMembers(others, ["invalid_ticker_format", "job_not_found", "not_offered"])
    assert.deepStrictEqual(document["x-not-offered"], Catalogue.notOffered)
  })

  it("names every operation by its path with underscores", () => {
    for (const { path, operation } of operations) {
      // Several methods share a path.
      if (/^(alerts|webhooks)_(create|delete|list)$/.test(operation.operationId)) continue
      const words = path
        .replace(/^\/v1\//, "")
        .split(/\W+/)
        .filter(Boolean)
      assert.strictEqual(operation.operationId, path === "/" ? "home" : words.join("_"))
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.includeMembers(ids, ["weather_settlement_history", "nfl_fair_line", "well_known_mcp", "docs_guides_name"])
  })

  it("shows a recorded answer for every answer in JSON but itself, and for the rows of lists as text", () => {
    const shown = (type: string) =>
      operations.flatMap(({ operation }) =>
        Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          /^20\d$/.test(status) && type in content
            ? [[operation.operationId, content[type]!.examples?.recorded.value] as const]
            : [],
        ),
      )
    const without = (type: string) => shown(type).flatMap(([id, value]) => (value === undefined ? [id] : []))
    assert.isAbove(shown("application/json").length, 30)
    assert.deepStrictEqual(without("application/json"), ["openapi_json"])
    for (const type of ["text/csv", "application/x-ndjson"]) assert.deepStrictEqual(without(type), [])
    const settlement = new Map(shown("application/json")).get("weather_settlement") as {
      readonly results: { readonly settlement: { readonly high_f: number } }
      readonly _meta: { readonly data_freshness: string }
    }
    assert.isNumber(settlement.results.settlement.high_f)
    assert.strictEqual(settlement._meta.data_freshness, "mock")
  })

  it("describes the webhooks as they are sent", async () => {
    const validators = new AjvJsonSchemaValidator()
    assert.deepStrictEqual(Object.keys(document.webhooks), [...Event.types])
    const signed = await Effect.runPromise(
      Effect.flatMap(newSecret, (secret) => signedHeaders({ id: "e", at: 0, body: "{}", secrets: [secret] })).pipe(
        Effect.provide(secrets.layer),
      ),
    )
    for (const type of Event.types) {
      const { parameters, requestBody, responses, security } = document.webhooks[type].post
      const headers = parameters.map(({ $ref }: { $ref: string }) => {
        const { name, in: place, required } = document.components.parameters[$ref.split("/").at(-1)!]
        assert.deepStrictEqual([place, required], ["header", true])
        return name.toLowerCase()
      })
      assert.sameMembers(headers, Object.keys(signed))
      assert.deepStrictEqual([Object.keys(responses), security], [["410", "2XX", "default"], []])
      const { schema, example } = requestBody.content["application/json"]
      const body = { ...Event.makeTestEvent(type, "u", 0), livemode: true }
      const name = schema.$ref.split("/").at(-1)!
      const isValid = validators.getValidator(standalone(schema))
      for (const sent of [example, JSON.parse(Event.toBody(body))]) {
        const { valid, errorMessage } = isValid(sent)
        assert.isTrue(valid, errorMessage)
        assert.isFalse(isValid({ ...sent, type: "job.failed" }).valid)
        for (const field of Object.keys(sent.data)) {
          assert.isFalse(isValid({ ...sent, data: { ...sent.data, [field]: null } }).valid, `${type}: ${field}`)
        }
      }
      assert.strictEqual((await running.get(`/schemas/v1/${name}.json`, "")).status, 200)
    }
  })

  it("is hashed where it is pointed to, and is not sent again to who has it", async () => {
    const { json } = await running.get("/.well-known/openapi", "")
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex")
    assert.deepStrictEqual(json, {
      openapi: "3.1.0",
      url: `${document.servers[0].url}/openapi.json`,
      version: document.info.version,
      sha256: digest,
    })
    const { headers } = await running.get("/openapi.json", "", { headers: { "accept-encoding": "identity" } })
    assert.strictEqual(headers.get("etag"), `"${digest}"`)
    const again = await running.get("/openapi.json", "", { headers: { "if-none-match": `"${digest}"` } })
    assert.deepStrictEqual([again.status, again.text], [304, ""])
    const other = await running.get("/openapi.json", "", { headers: { "if-none-match": '"0"' } })
    assert.strictEqual(other.status, 200)
  })

  it("states an endpoint's sunset", async () => {
    const [first, ...rest] = catalogue.lanes
    const stations = Endpoint.declare({
      ...catalogue.get("weather_stations"),
      deprecation: { since: "2026-01-01", sunset: "2026-06-01", link: "https://example.com/next" },
    })
    const ending = Catalogue.make({ ...first!, endpoints: { ...first!.endpoints, stations } }, ...rest)
    // biome-ignore lint/suspicious/noExplicitAny: a document that other programs read
    const { paths, components } = OpenApi.document(ending, Schemas.publicSurface(ending), [], "http://x") as any
    const operation = paths["/v1/weather/stations"].get
    assert.deepStrictEqual([operation.deprecated, operation["x-sunset"]], [true, "2026-06-01"])
    for (const name of ["Deprecation", "Sunset", "Link"]) {
      assert.property(operation.responses["200"].headers, name)
      assert.property(components.headers, name)
    }
    assert.include(markdown(ending), "`/v1/weather/stations` since 2026-01-01, removed after 2026-06-01")
  })
})

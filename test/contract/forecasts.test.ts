import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import type { Mode } from "../../adapters/lanes/LaneModule.ts"
import { weather } from "../../adapters/lanes/weather/module.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { freshnesses } from "../../core/endpoint/Answer.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { endpoints } from "../../core/lanes/weather/endpoints.ts"
import type { WeatherPorts } from "../../core/lanes/weather/Weather.ts"
import { faults } from "../support/faults.ts"
import { nwsRoutes } from "../support/nws.ts"
import { type Replay, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"
import { standalone } from "../support/standalone.ts"
import { forecastsContract, observationsContract } from "./forecasts.ts"

const now = Date.UTC(2026, 6, 9, 18, 20)

/** The ports of a mode, with the hand-made weather service as upstream. */
const portsOf = (mode: Mode): Layer.Layer<WeatherPorts, sqlite.StoreError> =>
  Layer.unwrapScoped(
    Effect.map(replay(nwsRoutes(() => now)), ({ url }) =>
      standalone(weather, mode, {
        nws: url,
        iem: "http://127.0.0.1:9",
        twc: "",
        nbm: "http://127.0.0.1:9",
        mdl: "http://127.0.0.1:9",
        userAgent: "market-signals (tests)",
      }),
    ),
  ).pipe(
    Layer.provide([Feeds.layerNone, FetchHttpClient.layer, hasher.layer, secrets.layer]),
    Layer.provide(sqlite.layer(":memory:")),
  )

for (const mode of freshnesses) {
  forecastsContract(`mode ${mode}`, portsOf(mode), { now })
  observationsContract(`mode ${mode}`, portsOf(mode), { now })
}

const path = "/v1/weather/forecast?lat=40.7789&lon=-73.9692"
const isResults = Schema.is(endpoints.forecast.results, { onExcessProperty: "error" })

/** The keys of a value; of a list, those that any of its elements has. */
const keysOf = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const inner = value.map(keysOf)
    // The flags are words; at a quiet hour there are none.
    const isRecords = inner.length > 0 && inner.every((each) => typeof each === "object")
    return isRecords ? [Object.assign({}, ...inner)] : ["leaf"]
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, keysOf(each)]))
    : "leaf"
}

describe("the forecast endpoint over HTTP", { timeout: 30_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  const servers = new Map<Mode, Running>()
  let nws: Replay
  beforeAll(async () => {
    nws = await Effect.runPromise(Scope.extend(replay(nwsRoutes(Date.now)), scope))
    for (const mode of freshnesses) {
      const upstreams = { nws: nws.url, userAgent: "market-signals (forecasts@example.com)" }
      servers.set(mode, await start({ weather: mode, upstreams: { ...settings().upstreams, ...upstreams } }))
    }
  })
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("answers with the same keys in every mode, as its schema says, and charges its price", async () => {
    const shapes: Array<unknown> = []
    for (const [mode, server] of servers) {
      for (const query of [
        "",
        "&hourly=true&hours=24",
        "&verbose=true",
        "&hours=168&include=_alternatives,_counterfactual,_suggestions",
      ]) {
        const before = await server.balance()
        const { status, json } = await server.get(path + query)
        assert.strictEqual(status, 200, JSON.stringify(json))
        assert.strictEqual(json._meta.data_freshness, mode)
        assert.strictEqual(json._meta.price.charged_micros, 1_000)
        assert.strictEqual(before - (await server.balance()), 1_000)
        if (query === "&verbose=true") assert.isTrue(isResults(json.results), JSON.stringify(json.results))
        for (const { step } of json._citations) assert.isAtMost(step, json._reasoning.length)
        const { alerts, ...rest } = json.results
        shapes.push({ query, keys: keysOf(rest) })
        assert.isTrue(
          alerts.every(
            ({ status: shown }: { status?: string }) => (shown === undefined) !== (query === "&verbose=true"),
          ),
        )
      }
    }
    const [one, ...others] = [0, 4, 8].map((from) => shapes.slice(from, from + 4))
    for (const other of others) assert.deepStrictEqual(other, one)
  })

  it("asks the weather service by name, for what it needs and once", async () => {
    const server = servers.get("live")!
    const before = nws.requests.length
    for (let times = 0; times < 3; times++) await server.get("/v1/weather/forecast?lat=40.11111&lon=-75")
    const asked = nws.requests.slice(before)
    assert.deepStrictEqual(asked.map(({ path: wanted, query }) => [wanted, query.toString()]).sort(), [
      // The cell's forecast is known already.
      ["/alerts/active", "point=40.1111%2C-75"],
      ["/points/40.1111,-75", ""],
    ])
    for (const { headers } of asked) {
      assert.strictEqual(headers["user-agent"], "market-signals (forecasts@example.com)")
      assert.strictEqual(headers.accept, "application/geo+json")
    }
  })

  it("answers 503 and charges nothing while the weather service is down", async () => {
    const server = servers.get("live")!
    const before = await server.balance()
    nws.spoil(faults.forbidden)
    for (const wanted of ["/v1/weather/forecast?lat=41&lon=-75", "/v1/weather/forecast?lat=41&lon=-75&hourly=true"]) {
      const { status, json } = await server.get(wanted)
      assert.deepStrictEqual([status, json.error.code], [503, "upstream_unavailable"])
      assert.isAbove(json.error.retry_after_ms, 0)
      assert.notInclude(JSON.stringify(json), "Reference")
    }
    nws.spoil()
    assert.strictEqual(await server.balance(), before)
  })

  it("refuses points outside and windows that are too long before anyone is asked", async () => {
    const server = servers.get("live")!
    const [before, requests] = [await server.balance(), nws.requests.length]
    const cases = [
      ["lat=51.5&lon=-0.1", "lat", "lon"],
      ["lat=40.7&lon=-74&hours=169", "hours"],
      ["lat=north&lon=-74&hourly=yes", "hourly", "lat"],
    ] as const
    for (const [query, ...fields] of cases) {
      const { status, json } = await server.get(`/v1/weather/forecast?${query}`)
      assert.deepStrictEqual([status, json.error.code], [400, "invalid_parameter"])
      assert.deepStrictEqual(json.error.hints.map(({ field }: { field: string }) => field).sort(), fields)
    }
    assert.deepStrictEqual([await server.balance(), nws.requests.length], [before, requests])
  })
})

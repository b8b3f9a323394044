import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { endpoints } from "../../core/lanes/weather/endpoints.ts"
import { stations } from "../../core/lanes/weather/stations.ts"
import { addDays } from "../../core/time.ts"
import { type Running, start } from "../support/running.ts"

describe("GET /v1/weather/signal over the real server, mock mode", () => {
  let server: Running
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())

  const path = (query: string) => `/v1/weather/signal?${query}`

  it("answers every station for today and six days ahead, in full and in the slim shape", async () => {
    const valid = Schema.validateSync(endpoints.signal.results)
    for (const { id } of stations) {
      const { status, json } = await server.get(path(`station=${id}&verbose=true`))
      assert.strictEqual(status, 200, JSON.stringify(json))
      valid(json.results)
      assert.deepInclude(json._meta, { data_freshness: "mock" })
      assert.deepInclude(json._meta.price, { display: "0.01 USD", charged_micros: 10_000 })
      assert.strictEqual(json._confidence.label, "reasoned")
      const far = await server.get(path(`station=${id}&target=${addDays(json.results.target_day, 6)}`))
      assert.strictEqual(far.status, 200, JSON.stringify(far.json))
      assert.isAbove(far.json.results.uncertainty.sigma_f, json.results.uncertainty.sigma_f)
      assert.deepStrictEqual(Object.keys(far.json.results), [
        "target_day",
        "projection",
        "uncertainty",
        "probabilities",
        "market_note",
      ])
    }
  })

  it("has the parts in include, and one degree named in fields", async () => {
    const include = "_alternatives,_counterfactual,_suggestions"
    const { json } = await server.get(path(`station=KNYC&include=${include}`))
    assert.strictEqual(json._counterfactual.input, "forecast_high_f")
    assert.approximately(json._counterfactual.to - json._counterfactual.from, 1, 1e-9)
    assert.isTrue(json._alternatives.length >= 1 && json._alternatives.length <= 3)
    assert.lengthOf(json._suggestions, 3)
    const degree = Math.round(json.results.projection.high_f)
    const one = await server.get(path(`station=KNYC&fields=probabilities.ge.${degree}`))
    assert.deepStrictEqual(Object.keys(one.json.results.probabilities.ge), [String(degree)])
  })

  it("refuses invalid requests, names the field, and charges nothing", async () => {
    const today = (await server.get(path("station=KMIA"))).json.results.target_day
    const before = await server.balance()
    const table: ReadonlyArray<readonly [query: string, field: string]> = [
      ["", "station"],
      ["station=KJFK", "station"],
      ["station=KMIA&station=KNYC", "station"],
      [`station=KMIA&target=${addDays(today, -1)}`, "target"],
      [`station=KMIA&target=${addDays(today, 8)}`, "target"],
      ["station=KMIA&target=2026-02-30", "target"],
      ["station=KMIA&target=tomorrow", "target"],
      ["station=KMIA&target=", "target"],
    ]
    for (const [query, field] of table) {
      const { status, json } = await server.get(path(query))
      assert.deepStrictEqual([status, json.error.code], [400, "invalid_parameter"], query)
      assert.strictEqual(json.error.hints[0].field, field, query)
      assert.isNotEmpty(json.error.hints[0].suggestion, query)
    }
    assert.strictEqual(await server.balance(), before)
  })
})

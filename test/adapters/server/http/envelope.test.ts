import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../../core/endpoint/Select.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { requestOf } from "../../../support/requests.ts"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"

/** A past day: its report is final and its values never change. */
const settlement = "/v1/weather/settlement?station=KNYC&day=2025-01-15"

// Typed from the interface specification.
const summary = ["id", "name", "city", "state", "tz", "cli_product"]
const settlementDay = [
  "day",
  "high_f",
  "low_f",
  "high_time_local",
  "low_time_local",
  "precip_in",
  "snow_in",
  "source",
  "weather_service_product_id",
]
const station = [...summary, "settles", "coordinates"]

const envelope = ["results", "_reasoning", "_citations", "_confidence", "_links", "_meta"]
const extras = ["_alternatives", "_counterfactual", "_suggestions", "_market_anchored"]

const keys = (value: object): ReadonlyArray<string> => Object.keys(value).sort()

/** The size of the whole body. The digits of duration and charge are not known when it is counted. */
const isSizeOf = (tokens: number, text: string, message = text): void => {
  assert.isTrue(Number.isInteger(tokens), message)
  assert.approximately(tokens, Buffer.byteLength(text) / 4, 2, message)
}

/** Rules of every enveloped answer. */
const wellFormed = (headers: Headers, text: string, price: { display: string; charged_micros: number }): void => {
  const body = JSON.parse(text)
  assert.includeMembers(Object.keys(body), envelope)
  assert.match(body._meta.request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.strictEqual(body._meta.request_id, headers.get("x-request-id"))
  isSizeOf(body._meta.tokens_estimated, text)
  assert.isTrue(Number.isInteger(body._meta.latency_ms) && body._meta.latency_ms >= 0)
  assert.strictEqual(body._meta.version, "v1")
  assert.strictEqual(body._meta.data_freshness, "mock")
  assert.deepStrictEqual(body._meta.price, price)
  assert.deepStrictEqual(keys(body._meta), [
    "data_freshness",
    "latency_ms",
    "price",
    "request_id",
    "tokens_estimated",
    "version",
  ])
  for (const { step, source, locator } of body._citations) {
    assert.isTrue(Number.isInteger(step) && step >= 1 && step <= body._reasoning.length)
    assert.isTrue(source !== "" && locator !== "")
  }
  assert.deepStrictEqual(keys(body._confidence), ["factors", "label", "score"])
  assert.isTrue(body._confidence.score >= 0 && body._confidence.score <= 1)
  for (const { endpoints } of body._links)
    for (const link of endpoints) assert.isTrue(catalogue.byPath.has(link.split("?")[0]), link)
  assert.strictEqual(headers.get("content-type"), "application/json; charset=utf-8")
  assert.strictEqual(headers.get("content-length"), String(Buffer.byteLength(text)))
  assert.strictEqual(headers.get("cache-control"), "private, no-cache")
}

const paid = { display: "0.001 USD", charged_micros: 1_000 }

describe("the envelope of a 200", () => {
  let service: Running
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  it("has every key for a paid call, and no other", async () => {
    const { status, headers, text, json } = await service.get(settlement)
    assert.strictEqual(status, 200)
    wellFormed(headers, text, paid)
    assert.deepStrictEqual(Object.keys(json), envelope)
    assert.strictEqual(json._confidence.label, "settlement")
    assert.deepStrictEqual(
      json._citations.map(({ step }: { step: number }) => step),
      [1, 2],
    )
  })

  it("names a price of nothing free, and shows a test key the list price", async () => {
    const free = await service.get("/v1/weather/stations")
    wellFormed(free.headers, free.text, { display: "free", charged_micros: 0 })
    const test = await service.get(settlement, service.account.test.token)
    wellFormed(test.headers, test.text, { display: "0.001 USD", charged_micros: 0 })
  })

  it("gives every request an id of its own, whatever the caller sends", async () => {
    const headers = { "x-request-id": "req_00000000000000000000000000" }
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await service.get("/v1/weather/stations", undefined, { headers })).headers.get("x-request-id"),
      ),
    )
    assert.strictEqual(new Set(ids).size, 20)
    assert.notInclude(ids, headers["x-request-id"])
  })

  it("is slim by default: exactly the documented fields", async () => {
    const { json } = await service.get(settlement)
    assert.deepStrictEqual(keys(json.results), ["settlement", "station"])
    assert.deepStrictEqual(keys(json.results.station), [...summary].sort())
    assert.deepStrictEqual(keys(json.results.settlement), [...settlementDay].sort())
    const { results } = (await service.get("/v1/weather/stations")).json
    assert.deepStrictEqual(keys(results), ["count", "stations"])
    assert.strictEqual(results.count, 9)
    for (const each of results.stations) {
      assert.deepStrictEqual(keys(each), [...station].sort())
      assert.deepStrictEqual(keys(each.settles), ["polymarket", "venue_high_series", "venue_low_series"])
      assert.deepStrictEqual(keys(each.coordinates), ["lat", "lon"])
    }
  })

  it("is full with verbose=true, and fields=* is the same", async () => {
    const slim = (await service.get(settlement)).json.results
    const verbose = (await service.get(`${settlement}&verbose=true`)).json.results
    assert.includeMembers(Object.keys(verbose.settlement), ["issued_at", "quality_flags", "revision", "status"])
    assert.deepInclude(verbose.settlement, slim.settlement)
    for (const query of ["fields=*", "fields=station,*", "verbose=true&fields=station.id"]) {
      assert.deepStrictEqual((await service.get(`${settlement}&${query}`)).json.results, verbose, query)
    }
    assert.deepStrictEqual((await service.get(`${settlement}&verbose=false`)).json.results, slim)
  })

  it.each([
    ["settlement.high_f,station.id", { station: ["id"], settlement: ["high_f"] }],
    ["station.id&fields=settlement.high_f", { station: ["id"], settlement: ["high_f"] }],
    ["station.id,%20settlement.day", { station: ["id"], settlement: ["day"] }],
    ["settlement.revision", { settlement: ["revision"] }],
    ["station,settlement.day", { station: summary, settlement: ["day"] }],
    ["settlement,settlement.revision", { settlement: [...settlementDay, "revision"] }],
    ["settlement.revision,settlement", { settlement: [...settlementDay, "revision"] }],
  ])("fields=%s", async (fields, expected) => {
    const { json } = await service.get(`${settlement}&fields=${fields}`)
    assert.deepStrictEqual(
      Object.fromEntries(Object.entries(json.results).map(([name, value]) => [name, keys(value as object)])),
      Object.fromEntries(Object.entries(expected).map(([name, names]) => [name, [...names].sort()])),
    )
    assert.deepStrictEqual(Object.keys(json), envelope)
  })

  it("applies a path to every element of an array", async () => {
    const { results } = (await service.get("/v1/weather/stations?fields=stations.coordinates.lat,stations.id")).json
    assert.deepStrictEqual(keys(results), ["stations"])
    assert.lengthOf(results.stations, 9)
    for (const each of results.stations) {
      assert.deepStrictEqual(keys(each), ["coordinates", "id"])
      assert.deepStrictEqual(keys(each.coordinates), ["lat"])
    }
  })

  /** The first call of a generated lane may make its whole world; on a busy machine that takes longer than a call may. */
  const warm = async (endpoint: Endpoint.Any, more: Readonly<Record<string, unknown>>) => {
    const [target, init] = requestOf(endpoint, { ...(endpoint.example as object), ...more })
    for (let more = 5; ; more--) {
      const found = await service.get(target, undefined, init)
      if (found.status !== 408 || more === 0) return found
    }
  }

  it("has the size of the whole body in tokens_estimated, however it is called", { timeout: 120_000 }, async () => {
    const live = catalogue.entries.filter(({ endpoint }) => !Endpoint.isKeyless(endpoint))
    assert.isAtLeast(live.length, 15)
    for (const { endpoint } of live) {
      const first = Select.compile(endpoint.results).paths[0]!
      for (const more of [{}, { verbose: true }, { fields: [first] }, { include: extras }, { dry_run: true }]) {
        const { status, text, json } = await warm(endpoint, more)
        const name = `${endpoint.path} ${JSON.stringify(more)}`
        assert.strictEqual(status, 200, `${name}: ${text}`)
        isSizeOf(json._meta.tokens_estimated, text, name)
      }
    }
  })

  it("has no number of more decimals than mean something", { timeout: 120_000 }, async () => {
    for (const { endpoint } of catalogue.entries) {
      const more = Endpoint.isKeyless(endpoint) ? {} : { include: extras }
      const { status, text } = await warm(endpoint, { verbose: true, ...more })
      assert.strictEqual(status, 200, text)
      // Nine in the long distributions of the fair line, eight in volatilities and their scores, six elsewhere.
      const places =
        { nfl_fair_line: 9, crypto_signal: 8, crypto_spot: 8, crypto_performance: 8 }[endpoint.id as string] ?? 6
      const numbers = text.match(/-?\d+\.\d+(e-?\d+)?/g) ?? []
      assert.deepStrictEqual(
        numbers.filter((number) => Number(Number(number).toFixed(places)) !== Number(number)),
        [],
        endpoint.path,
      )
    }
  })

  it("preserves the stored bytes of an idempotent answer, and its size", async () => {
    const init = { headers: { "idempotency-key": crypto.randomUUID() } }
    const first = await service.get(settlement, undefined, init)
    const again = await service.get(settlement, undefined, init)
    assert.strictEqual(again.headers.get("x-idempotent-replay"), "true")
    const head = (text: string) => text.slice(0, text.indexOf('"_meta"'))
    assert.strictEqual(head(again.text), head(first.text))
    assert.strictEqual(again.json._meta.tokens_estimated, first.json._meta.tokens_estimated)
    isSizeOf(again.json._meta.tokens_estimated, again.text)
  })

  it.each([
    [["_alternatives"]],
    [["_counterfactual"]],
    [["_suggestions"]],
    [["_suggestions", "_alternatives"]],
    [extras],
  ])("include=%s adds what was asked for and nothing else", async (asked) => {
    const { status, headers, text, json } = await service.get(`${settlement}&include=${asked.join(",")}`)
    assert.strictEqual(status, 200)
    wellFormed(headers, text, paid)
    assert.deepStrictEqual(keys(json), [...envelope, ...asked].sort())
    for (const alternative of json._alternatives ?? [])
      assert.deepStrictEqual(keys(alternative), ["id", "label", "score", "why"])
    assert.isAtMost(json._suggestions?.length ?? 0, 3)
    for (const suggestion of json._suggestions ?? []) {
      assert.deepStrictEqual(keys(suggestion), ["endpoint", "params", "price", "why"])
      const { endpoint } = catalogue.byPath.get(suggestion.endpoint)!
      assert.strictEqual(suggestion.price.micros, endpoint.priceMicros)
    }
  })

  it("has alternatives and suggestions where there are any", async () => {
    const { json } = await service.get(`${settlement}&include=_alternatives,_suggestions`)
    // The preliminary report of the same day.
    assert.isAtLeast(json._alternatives.length, 1)
    assert.isAtLeast(json._suggestions.length, 1)
  })
})

describe("bodies in other shapes", () => {
  it("count bytes, not characters", async () => {
    const word = "82 °F in 東京"
    const service = await Controlled.start({ paid: () => Effect.succeed({ ...Controlled.word, results: { word } }) })
    const response = await service.get("/v1/controlled/paid")
    const text = await response.text()
    wellFormed(response.headers, text, paid)
    assert.strictEqual(JSON.parse(text).results.word, word)
    await service.stop()
  })

  it("are plain JSON where no key is needed, whatever is asked for", async () => {
    const service = await Controlled.start()
    for (const path of ["/v1/controlled/open", "/v1/controlled/open?verbose=true"]) {
      const response = await fetch(service.url + path)
      assert.deepStrictEqual(await response.json(), { word: "said" })
      assert.match(response.headers.get("x-request-id")!, /^req_/)
    }
    await service.stop()
  })
})

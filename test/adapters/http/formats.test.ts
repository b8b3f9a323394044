import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll } from "vitest"
import { headersOf } from "../../../adapters/http/wire.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { stations } from "../../../core/lanes/weather/endpoints.ts"
import { type Running, start } from "../../support/running.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const history = "/v1/weather/settlement/history?station=KNYC&start=2026-01-01&end=2026-01-31"
const fetched = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${service.account.live.token}`, ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe("a list by Accept", () => {
  it("is its rows alone as NDJSON, at the same price", async () => {
    const before = await service.balance()
    const { json } = await service.get(history)
    const { status, headers, text } = await fetched(history, { accept: "application/x-ndjson" })
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "application/x-ndjson; charset=utf-8")
    assert.strictEqual(headers.get("x-charged-micros"), "5000")
    assert.match(headers.get("x-request-id")!, /^req_/)
    assert.deepStrictEqual(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
      json.results.days,
    )
    assert.strictEqual(await service.balance(), before - 10_000)
  })

  it("is a table as CSV, with the columns that its rows have", async () => {
    const { json } = await service.get(`${history}&fields=days.day,days.high_f,days.quality_flags`)
    const { headers, text } = await fetched(`${history}&fields=days.day,days.high_f,days.quality_flags`, {
      accept: "text/csv;q=1, application/json;q=.5",
    })
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8; header=present")
    const rows = parse(text, { columns: true }) as ReadonlyArray<Record<string, string>>
    assert.deepStrictEqual(
      rows,
      json.results.days.map(({ day, high_f, quality_flags }: Record<string, unknown>) => ({
        day,
        high_f: String(high_f ?? ""),
        quality_flags: JSON.stringify(quality_flags),
      })),
    )
  })

  it("flattens what is nested, and names the cursor of the next page", async () => {
    const { text } = await fetched("/v1/weather/stations", { accept: "text/csv" })
    assert.match(text.split("\r\n")[0]!, /^id,name,.*settles\.venue_high_series,.*coordinates\.lat,coordinates\.lon$/)
    assert.strictEqual(text.trimEnd().split("\r\n").length, 10)
    const { headers } = await fetched(`${history}&limit=5`, { accept: "text/csv" })
    const { json } = await service.get(`${history}&limit=5`)
    assert.strictEqual(headers.get("x-next-cursor"), json._meta.next_cursor)
  })

  for (const [name, path, accept, status, type] of [
    ["a signal is no list", "/v1/crypto/spot", "text/csv", 406, "application/json"],
    ["JSON stays first", "/v1/weather/stations", "*/*", 200, "application/json"],
    ["a weight of none is no", "/v1/weather/stations", "text/csv;q=0", 406, "application/json"],
    ["the heavier wins", "/v1/weather/stations", "application/json;q=0.3,text/*;q=0.6", 200, "text/csv"],
    ["failures are JSON", "/v1/weather/settlement/history?station=KNYC", "text/csv", 400, "application/json"],
    ["a quote is JSON", `${history}&dry_run=true`, "text/csv", 200, "application/json"],
  ] as const) {
    it(name, async () => {
      const found = await fetched(path, { accept })
      assert.deepStrictEqual([found.status, found.headers.get("content-type")!.split(";")[0]], [status, type])
    })
  }
})

describe("entity tags", () => {
  it("answer 304 without a charge while the results are the same", async () => {
    const path = "/v1/weather/settlement?station=KNYC&day=2026-07-08"
    const first = await fetched(path, {})
    const etag = first.headers.get("etag")!
    assert.match(etag, /^W\/"[0-9a-f]{32}"$/)
    const before = await service.balance()
    for (const condition of [etag, `"other", ${etag}`, "*", etag.slice(2)]) {
      const { status, headers, text } = await fetched(path, { "if-none-match": condition })
      assert.deepStrictEqual([status, text, headers.get("etag")], [304, "", etag], condition)
    }
    assert.strictEqual(await service.balance(), before)
    const changed = await fetched(`${path}&verbose=true`, { "if-none-match": etag })
    assert.strictEqual(changed.status, 200)
    assert.strictEqual(await service.balance(), before - 1_000)
  })

  it("are of the results in one format", async () => {
    const [json, csv] = [await fetched(history, {}), await fetched(history, { accept: "text/csv" })]
    assert.notStrictEqual(json.headers.get("etag"), csv.headers.get("etag"))
    const again = await fetched(history, { accept: "text/csv", "if-none-match": csv.headers.get("etag")! })
    assert.strictEqual(again.status, 304)
    const other = await fetched(history, { accept: "text/csv", "if-none-match": json.headers.get("etag")! })
    assert.strictEqual(other.status, 200)
  })

  it("are not on signals, which are new with every call", async () => {
    assert.isNull((await fetched("/v1/crypto/signal", {})).headers.get("etag"))
  })
})

describe("a deprecated endpoint", () => {
  const deprecated = (since: string, sunset: string) =>
    Endpoint.make({ ...stations, deprecation: { since, sunset, link: "https://example.com/moved" } })

  it("says so and when it ends", () => {
    const { deprecation, sunset, link } = headersOf(deprecated("2027-01-01", "2027-04-01"))
    assert.deepStrictEqual(
      [deprecation, sunset, link],
      ["@1798761600", "Thu, 01 Apr 2027 00:00:00 GMT", '<https://example.com/moved>; rel="deprecation"'],
    )
  })

  it("must give 90 days of notice", () => {
    for (const [since, sunset] of [
      ["2027-01-01", "2027-03-31"],
      ["2027-04-01", "2027-01-01"],
      ["2027-01-01", "soon"],
    ] as const) {
      assert.throws(() => deprecated(since, sunset), /90 days/)
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll } from "vitest"
import { makeHeaders, of } from "../../../../adapters/server/http/wire.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Envelope from "../../../../core/endpoint/Envelope.ts"
import { stations } from "../../../../core/lanes/weather/endpoints.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"

let service: Running
beforeAll(async () => {
  service = await start({}, { clock: clockAt(Date.UTC(2026, 8, 25, 12)) })
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

  it("flattens nested fields, and has the next page's cursor", async () => {
    const { text } = await fetched("/v1/weather/stations", { accept: "text/csv" })
    assert.match(text.split("\r\n")[0]!, /^id,name,.*settles\.venue_high_series,.*coordinates\.lat,coordinates\.lon$/)
    assert.strictEqual(text.trimEnd().split("\r\n").length, 10)
    const { headers } = await fetched(`${history}&limit=5`, { accept: "text/csv" })
    const { json } = await service.get(`${history}&limit=5`)
    assert.strictEqual(headers.get("x-next-cursor"), json._meta.next_cursor)
  })

  /** All lines of a list, page by page, following only the link to the next page. */
  const followed = async (path: string, accept: string) => {
    const lines: Array<string> = []
    let [next, pages, byCursor]: [string | undefined, number, number] = [path, 0, 0]
    while (next !== undefined) {
      const { status, headers, text } = await fetched(next, { accept })
      assert.strictEqual(status, 200, next)
      const page = text.trimEnd().split(/\r?\n/)
      lines.push(...(accept === "text/csv" ? page.slice(1) : page))
      const link = /^<([^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1]
      const url: URL | undefined = link === undefined ? undefined : new URL(link, service.url + next)
      next = url && url.pathname + url.search
      pages++
      if (headers.has("x-next-cursor")) byCursor++
    }
    return { lines, pages, byCursor }
  }

  for (const [name, path, limit, most, accept] of [
    ["by cursor, behind a key", history, 7, 200, "text/csv"],
    ["by cursor, without a key", "/v1/markets/settled?domain=nfl", 24, 500, "application/x-ndjson"],
    ["of some fields", "/v1/markets/settled?domain=weather&fields=rows.market_ticker", 137, 500, "text/csv"],
  ] as const) {
    it(`is whole when its links to the next page are followed: ${name}`, async () => {
      const [all, parts] = [
        await followed(`${path}&limit=${most}`, accept),
        await followed(`${path}&limit=${limit}`, accept),
      ]
      assert.isAbove(parts.pages, 3)
      assert.strictEqual(new Set(all.lines).size, all.lines.length)
      assert.deepStrictEqual(parts.lines, all.lines)
      // Every page but the last has a cursor.
      assert.strictEqual(parts.byCursor, parts.pages - 1)
    })
  }

  it("has a link in addition to that of a deprecated endpoint's replacement", () => {
    const served = {
      status: 200,
      requestId: "req_1",
      body: Envelope.empty,
      retryAfterMs: undefined,
      limit: undefined,
      replayed: false,
    }
    const linked = (next: string | undefined, target: string) =>
      of(
        { ...served, rows: { format: "csv", text: [], ...(next === undefined ? {} : { next }) } },
        { link: '</new>; rel="deprecation"' },
        target,
      ).headers["link"]
    assert.strictEqual(linked(undefined, "/old"), '</new>; rel="deprecation"')
    assert.strictEqual(
      linked("a>b&c", "/old?limit=1&cursor=a"),
      '</new>; rel="deprecation", <?limit=1&cursor=a%3Eb%26c>; rel="next"',
    )
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

describe("an Accept header that lets nothing through", () => {
  for (const [what, path, forms] of [
    ["a list", "/v1/weather/stations", "application/json or text/csv or application/x-ndjson"],
    ["no list", "/v1/crypto/spot", "application/json"],
    ["signed text", "/v1/proof/checkpoint", "text/plain or application/json"],
  ] as const) {
    it(`gets the available media types: ${what}`, async () => {
      const { status, text } = await fetched(path, { accept: "text/html" })
      const { message, hints } = JSON.parse(text).error
      assert.deepStrictEqual([status, message], [406, `Available media types: ${forms.replaceAll(" or ", ", ")}.`])
      assert.deepStrictEqual(hints, [
        { field: "Accept", action: "change", suggestion: `Send ${forms}, or leave Accept out.` },
      ])
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
    Endpoint.declare({ ...stations, deprecation: { since, sunset, link: "https://example.com/moved" } })

  it("states deprecation and sunset", () => {
    for (const { named } of Object.values(makeHeaders(deprecated("2027-01-01", "2027-04-01")))) {
      const { deprecation, sunset, link } = named
      assert.deepStrictEqual(
        [deprecation, sunset, link],
        ["@1798761600", "Thu, 01 Apr 2027 00:00:00 GMT", '<https://example.com/moved>; rel="deprecation"'],
      )
    }
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

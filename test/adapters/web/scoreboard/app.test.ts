// Proof: takes five seconds or more.
import { createHash } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { parquetReadObjects } from "hyparquet"
import { layerStore } from "../../../../adapters/store/record/Settled.ts"
import { pageHeaders } from "../../../../adapters/web/view/assets.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { settledRows } from "../../../support/settledRows.ts"

describe("the scoreboard over HTTP", () => {
  let service: Running
  const rows = settledRows(1_500, 9)
  const scoredRows = rows.filter((row) => Board.headToHead(row) !== undefined)
  beforeAll(async () => {
    service = await start({ markets: "live" })
    await service.run(Effect.flatMap(SettledStore, (store) => store.append(rows)).pipe(Effect.provide(layerStore)))
  })
  afterAll(() => service.stop())

  const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, init)

  it("is a cacheable page whose policy is that of all pages", async () => {
    const response = await get("/scoreboard")
    const html = await response.text()
    assert.strictEqual(response.status, 200)
    assert.match(html, /^<!doctype html>/)
    assert.isAtMost(Buffer.byteLength(html), 52_000)
    assert.include(html, `<a href="/docs">Docs</a>`)
    assert.include(html, `<a href="/scoreboard" aria-current="page">`)
    assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
    assert.strictEqual(response.headers.get("cache-control"), "public, max-age=30")
    for (const [name, value] of Object.entries(pageHeaders)) assert.strictEqual(response.headers.get(name), value)
    const known = await get("/scoreboard", { headers: { "if-none-match": response.headers.get("etag")! } })
    assert.deepStrictEqual([known.status, await known.text()], [304, ""])
    const head = await get("/scoreboard", { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
  })

  it("lists markets that were traded as such, with their entries on the record", async () => {
    const html = await (await get("/scoreboard/markets")).text()
    assert.notInclude(html, "Sample data")
    assert.include(html, 'href="/record?leaf=')
  })

  it("has the same rows as Parquet, and a manifest by which each file is seen to be whole", async () => {
    const response = await get("/scoreboard/settled.parquet")
    assert.strictEqual(response.headers.get("content-type"), "application/vnd.apache.parquet")
    const table = (await parquetReadObjects({ file: await response.arrayBuffer() })) as Array<Record<string, unknown>>
    const listed = JSON.parse(await (await get("/scoreboard/settled.json")).text()).rows as Array<
      Record<string, unknown>
    >
    assert.lengthOf(table, listed.length)
    for (const [n, row] of listed.entries()) {
      const { market_ticker, model_prob, market_prob, result, close_time, anchored, quality_flags, floor_strike } = row
      assert.deepStrictEqual(
        [table[n]!["market_ticker"], table[n]!["model_prob"], table[n]!["market_prob"], table[n]!["result"]],
        [market_ticker, model_prob, market_prob, result],
      )
      assert.deepStrictEqual(table[n]!["close_time"], new Date(close_time as string))
      assert.deepStrictEqual(
        [table[n]!["anchored"], table[n]!["quality_flags"], table[n]!["floor_strike"] ?? undefined],
        [anchored, quality_flags, floor_strike],
      )
    }
    // The scoreboard's own figure from the file alone.
    const brier = table.reduce(
      (sum, row) => sum + ((row["model_prob"] as number) - (row["result"] === "yes" ? 1 : 0)) ** 2,
      0,
    )
    const { json } = await service.get("/v1/markets/performance", "")
    assert.closeTo(brier / table.length, json.overall.brier_model, 5e-7)
    const manifest = JSON.parse(await (await get("/scoreboard/manifest.json")).text())
    assert.strictEqual(manifest.data_freshness, "live")
    assert.isNotEmpty(manifest.sources)
    for (const { name, bytes, sha256, rows: count } of manifest.files) {
      const whole = Buffer.from(await (await get(`/scoreboard/${name}`)).arrayBuffer())
      assert.deepStrictEqual([whole.length, count], [bytes, listed.length], name)
      assert.strictEqual(createHash("sha256").update(whole).digest("hex"), sha256, name)
    }
    assert.deepStrictEqual(
      manifest.files.map(({ name }: { name: string }) => name),
      ["csv", "ndjson", "json", "parquet"].map((form) => `settled.${form}`),
    )
  })

  it("has every scored row once in each of three equal formats", async () => {
    const [csv, json, ndjson] = await Promise.all(
      ["csv", "json", "ndjson"].map(async (form) => {
        const response = await get(`/scoreboard/settled.${form}`)
        assert.strictEqual(response.status, 200)
        assert.include(response.headers.get("content-disposition")!, `settled.${form}`)
        return response.text()
      }),
    )
    const listed = JSON.parse(json!).rows as Array<Record<string, unknown>>
    assert.deepStrictEqual(
      ndjson!
        .trim()
        .split("\n")
        .map((text) => JSON.parse(text)),
      listed,
    )
    assert.deepStrictEqual(
      listed.map((row) => row["market_ticker"]).sort(),
      scoredRows.map(({ ticker }) => ticker).sort(),
    )
    const head = csv!.slice(0, csv!.indexOf("\r\n")).split(",")
    assert.lengthOf(new Set(head), head.length, "each column once, as readers of tables want it")
    const cells = parse<Record<string, string>>(csv!, { columns: true, bom: true })
    assert.strictEqual(cells.length, listed.length)
    cells.forEach((row, at) => {
      const { market_ticker, model_prob, domain, close_time, result, settlement_basis } = listed[at]!
      assert.deepStrictEqual(
        [row["market_ticker"], Number(row["model_prob"]), row["domain"], row["close_time"], row["result"]],
        [market_ticker, model_prob, domain, close_time, result],
      )
      assert.strictEqual(
        row["settlement_basis.venue_source"],
        (settlement_basis as Record<string, string>)["venue_source"],
      )
    })
    // Recomputing from the file gives the scoreboard's figures, to the decimals that are served.
    const { json: performance } = await service.get("/v1/markets/performance", "")
    const brier = listed.reduce(
      (sum, row) => sum + (Number(row["model_prob"]) - (row["result"] === "yes" ? 1 : 0)) ** 2,
      0,
    )
    assert.isAtMost(Math.abs(brier / listed.length - performance.overall.brier_model), 0.5e-6 + 1e-12)
  })

  it("pages over the wire hold every row exactly once, by the cursor", async () => {
    const seen: Array<string> = []
    let query = ""
    for (let page = 0; page < 40; page++) {
      const { status, json } = await service.get(`/v1/markets/settled?domain=nfl&limit=17${query}`, "")
      assert.strictEqual(status, 200)
      seen.push(...json.rows.map((row: { market_ticker: string }) => row.market_ticker))
      // Every page but the last has both.
      assert.strictEqual(json.next_cursor === undefined, json.next_before === undefined)
      if (json.next_cursor === undefined) break
      query = `&cursor=${json.next_cursor}`
    }
    assert.isAbove(seen.length, 17)
    const own = scoredRows.filter(({ domain }) => domain === "nfl").map(({ ticker }) => ticker)
    assert.deepStrictEqual(seen.sort(), own.sort())
  })

  it("answers errors in the envelope", async () => {
    const posted = await get("/scoreboard", { method: "POST" })
    assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
    assert.strictEqual((await get("/scoreboard/settled.xml")).status, 404)
    const { status, json } = await service.get("/v1/markets/settled?domain=sec&limit=501&before=now&cursor=x", "")
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(json.error.hints.map(({ field }: { field: string }) => field).sort(), [
      "before",
      "domain",
      "limit",
    ])
  })

  it("is limited per address like the other calls without a key, its files by a limit of their own", async () => {
    // The clock is fixed, so the address's bucket does not refill.
    const other = await start({ markets: "mock" }, { clock: clockAt(Date.parse("2026-07-09T18:00:00Z")) })
    try {
      const statuses = await Promise.all(
        Array.from({ length: 64 }, () => fetch(`${other.url}/scoreboard`, { method: "HEAD" })),
      ).then((responses) => responses.map(({ status }) => status))
      assert.strictEqual(statuses.filter((status) => status === 429).length, 4)
      const files = await Promise.all(
        Array.from({ length: 14 }, () => fetch(`${other.url}/scoreboard/settled.csv`, { method: "HEAD" })),
      ).then((responses) => responses.map(({ status }) => status))
      assert.deepStrictEqual(files.sort(), [...new Array(12).fill(200), 429, 429])
      const refused = await fetch(`${other.url}/scoreboard`)
      assert.deepStrictEqual(
        [refused.status, ((await refused.json()) as { error: { code: string } }).error.code],
        [429, "rate_limit_exceeded"],
      )
    } finally {
      await other.stop()
    }
  })
})

describe("a file of settled rows", { timeout: 60_000 }, () => {
  it.each(["parquet", "csv"])("sends the parts of %s that are asked for, under a strong tag", async (form) => {
    const service = await start()
    const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, init)
    const path = `/scoreboard/settled.${form}`
    const whole = await get(path, { headers: { "accept-encoding": "identity" } })
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get("etag")!
    assert.match(etag, /^"\w{32}"$/)
    assert.strictEqual(whole.headers.get("accept-ranges"), "bytes")
    const size = bytes.length
    assert.isAbove(size, 1_000)
    const ranged = async (range: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
      const response = await get(path, { method, headers: { range, ...headers } })
      const found = Buffer.from(await response.arrayBuffer())
      assert.strictEqual(response.headers.get("content-encoding"), null)
      if (method === "GET") assert.strictEqual(response.headers.get("content-length"), String(found.length))
      return [response.status, response.headers.get("content-range"), found] as const
    }
    const part = (first: number, last: number) =>
      [206, `bytes ${first}-${last}/${size}`, bytes.subarray(first, last + 1)] as const
    assert.deepStrictEqual(await ranged("bytes=0-0"), part(0, 0))
    assert.deepStrictEqual(await ranged("bytes=100-299", { "accept-encoding": "gzip" }), part(100, 299))
    assert.deepStrictEqual(await ranged("bytes=-8"), part(size - 8, size - 1))
    assert.deepStrictEqual(await ranged(`bytes=${size - 5}-`), part(size - 5, size - 1))
    assert.deepStrictEqual(await ranged("bytes=10-999999999"), part(10, size - 1))
    assert.deepStrictEqual(await ranged("bytes=10-19", { "if-range": etag }), part(10, 19))
    assert.deepStrictEqual(await ranged(`bytes=${size}-`), [416, `bytes */${size}`, Buffer.alloc(0)])
    assert.deepStrictEqual(await ranged("bytes=-0"), [416, `bytes */${size}`, Buffer.alloc(0)])
    for (const other of ["bytes=9-3", "bytes=0-1,4-5", "lines=0-1", "bytes=-", "bytes=a-b"])
      assert.deepStrictEqual(await ranged(other), [200, null, bytes], other)
    assert.deepStrictEqual(await ranged("bytes=0-1", { "if-range": `"${"0".repeat(32)}"` }), [200, null, bytes])
    assert.deepStrictEqual(await ranged("bytes=0-1", { "if-range": `W/${etag}` }), [200, null, bytes])
    assert.deepStrictEqual((await ranged("bytes=0-1", {}, "HEAD")).slice(0, 2), [200, null])
    assert.strictEqual((await get(path, { headers: { range: "bytes=0-1", "if-none-match": etag } })).status, 304)
    await service.stop()
  })

  it("counts small parts as calls, and whole files by their own limit", async () => {
    const other = await start()
    const path = `${other.url}/scoreboard/settled.csv`
    const statuses = async (range: string) => {
      const all = await Promise.all(
        Array.from({ length: 14 }, () => fetch(path, { headers: { range } }).then(({ status }) => status)),
      )
      return [...new Set(all)].sort()
    }
    assert.deepStrictEqual(await statuses("bytes=0-9"), [206])
    assert.deepStrictEqual(await statuses("bytes=0-"), [206, 429])
    await other.stop()
  })
})

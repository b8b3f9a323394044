// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { clockAt } from "../support/clock.ts"
import { type Running, start } from "../support/running.ts"

const hour = 3_600_000
const begins = Date.UTC(2026, 8, 10, 15)
const path = "/v1/markets/history"

describe("what model and book said of a contract", { timeout: 120_000 }, () => {
  const clock = clockAt(begins)
  let service: Running
  beforeAll(async () => {
    service = await start({}, { clock })
  })
  afterAll(() => service.stop())

  interface Page {
    readonly contracts: ReadonlyArray<{ readonly market: string }>
    readonly points: ReadonlyArray<{ readonly market: string; readonly captured_at: string }>
  }

  /** The pages of an event's history. */
  const walk = async (event: string, limit: number): Promise<ReadonlyArray<Page>> => {
    const pages: Array<Page> = []
    for (let cursor = ""; ; ) {
      const { json } = await get(`event=${event}&limit=${limit}${cursor}`)
      pages.push(json.results)
      if (json._meta.next_cursor === undefined) return pages
      cursor = `&cursor=${json._meta.next_cursor}`
    }
  }

  const get = (query: string, token?: string) => service.get(`${path}?${query}`, token)
  const edges = async (domain: string) =>
    (await service.get(`/v1/markets/edge?domain=${domain}`)).json.results.edges as ReadonlyArray<{
      readonly market: string
      readonly model_prob: number
      readonly market_prob: number
      readonly close_time: string
    }>

  it("is read for an event, page by page, and as CSV", async () => {
    const [edge] = await edges("nfl")
    const event = edge!.market.slice(0, edge!.market.lastIndexOf("-"))
    const whole = await walk(event, 200)
    const contracts = whole.flatMap((page) => page.contracts.map(({ market }) => market))
    assert.strictEqual(new Set(contracts).size, 2)
    const points = whole.flatMap((page) => page.points)
    const paged = (await walk(event, 50)).flatMap((page) => page.points)
    assert.deepStrictEqual(paged, points)
    const csv = await fetch(`${service.url}${path}?event=${event}&limit=200`, {
      headers: { authorization: `Bearer ${service.account.live.token}`, accept: "text/csv" },
    })
    assert.lengthOf((await csv.text()).trim().split("\n"), whole[0]!.points.length + 1)
    const fourth = points[3]!
    const from = fourth.captured_at
    const some = (
      await get(`market=${fourth.market}&start=${from}&end=${new Date(Date.parse(from) + 1).toISOString()}`)
    ).json
    assert.deepStrictEqual(some.results.points, [fourth])
  })

  it.each([
    ["", "market"],
    ["market=A&event=B", "event"],
    ["market=NONE-26SEP10-X", "market"],
    ["event=NONE", "event"],
    ["event=KXRAINNYC-26SEP10", "event"],
    ["market=KXTEMPNYCH-26SEP1014-T74.99", "market"],
    ["market=A&start=2026-09-10T00:00:00Z&end=2026-09-10T00:00:00Z", "end"],
    ["market=A&limit=201", "limit"],
    ["market=A&cursor=x", "cursor"],
  ])("of %j is refused with the field to change, uncharged", async (query, field) => {
    const before = await service.balance()
    const { status, json } = await get(query)
    assert.isAtLeast(status, 400)
    assert.strictEqual(json.error.hints[0].field, field)
    assert.strictEqual(await service.balance(), before)
  })

  it("is paid like a signal while the contract is open, agrees with the board, and is free once it has settled", async () => {
    const [edge] = [...(await edges("weather"))].sort((a, b) => a.close_time.localeCompare(b.close_time))
    const before = await service.balance()
    const open = await get(`market=${edge!.market}&verbose=true`)
    assert.strictEqual(open.status, 200)
    const { contracts, points, count } = open.json.results
    assert.strictEqual(await service.balance(), before - 10_000)
    assert.deepInclude(contracts[0], { market: edge!.market, status: "open" })
    assert.isAbove(count, 5)
    const times = points.map((point: { captured_at: string }) => point.captured_at)
    assert.deepStrictEqual(times, [...times].sort())
    assert.deepInclude(points.at(-1), {
      captured_at: new Date(begins).toISOString(),
      model_prob: edge!.model_prob,
      market_prob: edge!.market_prob,
    })
    clock.set(Date.parse(edge!.close_time) + 48 * hour)
    const between = await service.balance()
    const settled = await get(`market=${edge!.market}`)
    assert.strictEqual(await service.balance(), between)
    assert.strictEqual(settled.json._meta.price.charged_micros, 0)
    assert.strictEqual(settled.json.results.contracts[0].status, "settled")
    assert.match(settled.json.results.contracts[0].result, /^(yes|no)$/)
    // The past does not change: what was said then is what is said of it now.
    const later = (await get(`market=${edge!.market}&verbose=true`)).json.results.points
    assert.deepStrictEqual(later.slice(0, points.length), points)
    // The scored capture is one of them.
    const rows = (await service.get("/v1/markets/settled?domain=weather&limit=500&verbose=true", "")).json.rows
    const row = rows.find(({ market_ticker }: { market_ticker: string }) => market_ticker === edge!.market)
    assert.include(
      later.map((point: { captured_at: string }) => point.captured_at),
      row.captured_at,
    )
    const scored = later.find((point: { captured_at: string }) => point.captured_at === row.captured_at)
    assert.deepInclude(scored, { model_prob: row.model_prob, market_prob: row.market_prob })
  })
})

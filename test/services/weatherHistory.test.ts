import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import { addDays } from "../../core/time.ts"
import { archiveRoutes } from "../support/climateUpstreams.ts"
import { faults } from "../support/faults.ts"
import { type Replay, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"

const path = "/v1/weather/settlement/history"

describe("the history of a station over HTTP", { timeout: 30_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  let archive: Replay
  let live: Running

  beforeAll(async () => {
    archive = await Effect.runPromise(Scope.extend(replay(archiveRoutes(() => Date.now())), scope))
    live = await start({ weather: "live", upstreams: { ...settings().upstreams, iem: archive.url } })
  })
  afterAll(async () => {
    await live.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const rowsStored = () =>
    live.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM climate_reports`, ([row]) => row!.n),
      ),
    )

  it("answers 503, charges nothing and stores nothing while the archive is in trouble", async () => {
    // Another station each time: a failure is cached for a moment.
    for (const [station, fault] of [
      ["KBOS", faults.serverError],
      ["KMIA", faults.html],
      ["KAUS", faults.wrongTypes],
      ["KLAX", faults.truncated],
    ] as const) {
      archive.spoil(fault)
      const { status, json, headers } = await live.get(`${path}?station=${station}&start=2026-01-01&end=2026-01-31`)
      assert.deepStrictEqual([status, json.error.code, json.error.recoverable], [503, "upstream_unavailable", true])
      assert.isAbove(json.error.retry_after_ms, 0)
      assert.isString(headers.get("retry-after"))
    }
    archive.spoil()
    assert.deepStrictEqual([await rowsStored(), await live.charges()], [0, 0])
  })

  it("fetches a stretch on demand, pages through it, and charges each page", async () => {
    const query = `${path}?station=KNYC&start=2025-12-25&end=2026-01-07`
    const whole = await live.get(`${query}&verbose=true`)
    assert.strictEqual(whole.status, 200)
    assert.deepStrictEqual(
      [whole.json.results.count, whole.json.results.missing_days, whole.json._meta.data_freshness],
      [14, [], "live"],
    )
    const days: Array<unknown> = []
    let pages = 0
    for (let cursor = ""; pages === 0 || cursor !== ""; pages++) {
      const page = await live.get(`${query}&verbose=true&limit=5${cursor === "" ? "" : `&cursor=${cursor}`}`)
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.json._meta.price.charged_micros, 5_000)
      days.push(...page.json.results.days)
      cursor = page.json._meta.next_cursor ?? ""
    }
    assert.deepStrictEqual([days, pages], [whole.json.results.days, 3])
    // A day's row equals the answer for that day.
    const single = await live.get("/v1/weather/settlement?station=KNYC&day=2026-01-01&verbose=true")
    assert.deepStrictEqual(single.json.results.settlement, whole.json.results.days[7])
    assert.strictEqual(archive.requests.filter(({ query: asked }) => asked.get("station") === "KNYC").length, 2)
  })

  it("has the same fields in mock, shadow and live", async () => {
    const shadow = await start({ weather: "shadow", upstreams: { ...settings().upstreams, iem: archive.url } })
    const query = `${path}?station=KDEN&start=2026-03-01&end=2026-03-10&verbose=true&include=_alternatives,_suggestions`
    const answers = [await live.get(query, live.account.test.token), await shadow.get(query), await live.get(query)]
    await shadow.stop()
    assert.deepStrictEqual(
      answers.map(({ json }) => json._meta.data_freshness),
      ["mock", "shadow", "live"],
    )
    const keys = (value: Record<string, unknown>): ReadonlyArray<string> => Object.keys(value).sort()
    for (const { json } of answers) {
      assert.deepStrictEqual(keys(json), keys(answers[0]!.json))
      assert.deepStrictEqual(keys(json.results), keys(answers[0]!.json.results))
      assert.strictEqual(json.results.count, 10)
    }
  })

  const tomorrow = addDays(new Date(Date.now()).toISOString().slice(0, 10), 1)
  const refused: ReadonlyArray<readonly [query: string, fields: ReadonlyArray<string>]> = [
    ["station=KNYC&start=2026-02-01&end=2026-01-31", ["end"]],
    ["station=KNYC&start=2025-01-01&end=2026-02-05", ["end"]],
    [`station=KNYC&start=${addDays(tomorrow, -10)}&end=${tomorrow}`, ["end"]],
    [`station=KNYC&start=${tomorrow}&end=${tomorrow}`, ["start", "end"]],
    ["station=KNYC&start=2026-02-30&end=2026-03-01", ["start"]],
    ["station=KXXX&start=x&end=y", ["station", "start", "end"]],
    ["station=KNYC", ["start", "end"]],
    ["station=KNYC&start=2026-01-01&end=2026-01-02&limit=0", ["limit"]],
    ["station=KNYC&start=2026-01-01&end=2026-01-02&cursor=abc", ["cursor"]],
  ]
  for (const [query, fields] of refused) {
    it(`refuses ${query.replace(tomorrow, "tomorrow").replace(tomorrow, "tomorrow")}, and charges nothing`, async () => {
      const before = await live.charges()
      const { status, json } = await live.get(`${path}?${query}`)
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(
        json.error.hints.map(({ field }: { field: string }) => field),
        fields,
      )
      assert.strictEqual(await live.charges(), before)
    })
  }
})

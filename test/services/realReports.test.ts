import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { ingest } from "../../core/lanes/weather/reports/ingest.ts"
import { clockAt } from "../support/clock.ts"
import { describeRealData } from "../support/realData.ts"
import { json, replay } from "../support/replay.ts"
import { settings, start } from "../support/running.ts"

/** Read by eye from the texts: each station's official report of the day, served verbatim. */
const sold = [
  ["KNYC", undefined, "2026-07-08", 85, 64, "347 PM", "440 AM", 0, 0, "202607090626-KOKX-CDUS41-CLINYC"],
  ["KNYC", "2013-01-02", "2013-01-02", 33, 22, "301 PM", "743 AM", 0, 0, "201301030616-KOKX-CDUS41-CLINYC"],
  ["KMDW", undefined, "2026-07-08", 89, 67, "2:56 PM", "4:31 AM", 0, undefined, "202607090634-KLOT-CDUS43-CLIMDW"],
  ["KAUS", undefined, "2026-07-08", 99, 74, "3:38 PM", "5:03 AM", 0, 0, "202607090658-KEWX-CDUS44-CLIAUS"],
  ["KPHL", undefined, "2026-07-08", 86, 70, "4:24 PM", "6:34 AM", 0, 0, "202607090552-KPHI-CDUS41-CLIPHL"],
  ["KPHL", "2026-07-09", "2026-07-09", 81, 72, "8:58 AM", "4:35 AM", 2.41, 0, "202607092139-KPHI-CDUS41-CLIPHL"],
  ["KHOU", "2014-11-30", "2014-11-30", 79, 62, "200 PM", "730 AM", 0, 0, "201412011455-KHGX-CDUS44-CLIHOU"],
] as const

describeRealData("recorded climate reports, ingested and sold over HTTP", (root) => {
  it("stores our stations' reports, names the others, and answers with the report's own values", async () => {
    // The archive is empty: only ingested reports exist.
    const scope = Effect.runSync(Scope.make())
    const empty = replay([{ path: "/json/cli.py", reply: json({ results: [] }) }])
    const { url } = await Effect.runPromise(Scope.extend(empty, scope))
    const service = await start(
      { weather: "live", upstreams: { ...settings().upstreams, iem: url } },
      { clock: clockAt(Date.UTC(2026, 6, 9, 22, 30)) },
    )
    const folder = join(root, "weather/cli")
    const counts: Record<string, number> = {}
    for (const file of readdirSync(folder)) {
      for (const { _tag } of await service.run(ingest(readFileSync(join(folder, file), "latin1"), "recorded"))) {
        counts[_tag] = (counts[_tag] ?? 0) + 1
      }
    }
    // Four recorded texts are cut off before their `$$`.
    assert.deepStrictEqual(counts, { Stored: 10, Foreign: 33, Refused: 4 })
    for (const [station, asked, day, high_f, low_f, high, low, precip_in, snow_in, product] of sold) {
      const query = asked === undefined ? "" : `&day=${asked}`
      const { status, json: body } = await service.get(`/v1/weather/settlement?station=${station}${query}`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.results.settlement, {
        day,
        high_f,
        low_f,
        high_time_local: high,
        low_time_local: low,
        precip_in,
        ...(snow_in === undefined ? {} : { snow_in }),
        source: "recorded",
        weather_service_product_id: product,
      })
      assert.strictEqual(body._citations[1].locator, product)
      assert.strictEqual(body._meta.data_freshness, "live")
    }
    assert.strictEqual(await service.balance(), 1_000_000 - sold.length * 1_000)
    const missing = await service.get("/v1/weather/settlement?station=KBOS")
    assert.deepStrictEqual([missing.status, missing.json.error.code], [503, "upstream_unavailable"])
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

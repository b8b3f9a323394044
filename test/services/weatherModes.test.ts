import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import { archiveRoutes, productRoutes } from "../support/climateUpstreams.ts"
import { nwsRoutes } from "../support/nws.ts"
import { replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"
import { markShape } from "../support/shapes.ts"

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

const calls = [
  "/v1/weather/stations",
  "/v1/weather/settlement?station=KNYC",
  `/v1/weather/settlement/history?station=KNYC&start=${day(20)}&end=${day(5)}`,
  "/v1/weather/forecast?lat=40.7789&lon=-73.9692",
  "/v1/weather/forecast?lat=40.7789&lon=-73.9692&hourly=true",
  "/v1/weather/signal?station=KNYC",
] as const

/** Fields that depend on the report or alert. */
const sometimes = /(precip_in|snow_in|high_time_local|low_time_local|precip_pct|wind_\w+)$|\.alerts\[\]/

describe("weather in its three modes", { timeout: 60_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  const modes = ["mock", "shadow", "live"] as const
  const servers = new Map<(typeof modes)[number], Running>()

  beforeAll(async () => {
    const now = () => Date.now()
    const [nws, iem] = await Effect.runPromise(
      Scope.extend(Effect.all([replay([...nwsRoutes(now), ...productRoutes(now)]), replay(archiveRoutes(now))]), scope),
    )
    const upstreams = { ...settings().upstreams, nws: nws.url, iem: iem.url }
    for (const weather of modes) servers.set(weather, await start({ weather, upstreams }))
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  for (const path of calls) {
    it(`${path.split("?")[0]} has one shape in all of them`, async () => {
      const shapes = []
      for (const mode of modes) {
        const { status, text, json } = await servers.get(mode)!.get(path)
        assert.strictEqual(status, 200, `${mode}: ${text.slice(0, 300)}`)
        assert.strictEqual(json._meta.data_freshness, mode)
        shapes.push([...markShape(json.results)].filter((key) => !sometimes.test(key)).sort())
      }
      const [mock, ...others] = shapes
      for (const other of others) assert.deepStrictEqual(other, mock)
    })
  }
})

// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerForecasts } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { drawError, toSpread } from "../../../../../adapters/lanes/weather/mock/forecastError.ts"
import { expectedTemperature } from "../../../../../adapters/lanes/weather/mock/outlook.ts"
import { layer as mockWeather } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { listInForce, whyNotInForce } from "../../../../../core/lanes/weather/forecast/alerts.ts"
import { cutToWindow } from "../../../../../core/lanes/weather/forecast/periods.ts"
import { findRiskFlags, rules } from "../../../../../core/lanes/weather/forecast/riskFlags.ts"
import { ClimateReports, Forecasts, type Observations } from "../../../../../core/lanes/weather/ports.ts"
import { byId, climateDayStart, stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"
import { clockAt } from "../../../../support/clock.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 6, 9, 18, 20)
const knyc = byId.get("KNYC")!

const deviation = (values: ReadonlyArray<number>): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)

describe("errors of mock forecasts", () => {
  const days = Array.from({ length: 3_000 }, (_, index) => Date.UTC(2018, 0, 1, 20) + index * day)
  const errors = (lead: number, turn: "low" | "high" = "high") =>
    days.map((at) => drawError("KNYC", at, turn, at - lead * day))

  it("grow with the lead as they say", () => {
    for (const lead of [0, 0.1, 1, 3, 6]) {
      const found = errors(lead)
      assert.closeTo(deviation(found), toSpread(lead), 0.06 * toSpread(lead), `${lead} days`)
      assert.closeTo(found.reduce((a, b) => a + b) / found.length, 0, 0.2, `${lead} days`)
    }
  })

  it("do not jump from one minute to the next", () => {
    const temperature = expectedTemperature(findSpot(knyc.coordinates), now)
    for (let at = now; at < now + 3 * day; at += minute) {
      assert.isAtMost(Math.abs(temperature(at + minute) - temperature(at)), 0.3)
    }
  })
})

/** Set a thousand times: a test clock waits in real time at every step. */
const clock = clockAt(now)

const asking = <A, E>(body: Effect.Effect<A, E, ClimateReports | Forecasts | Observations>, at = now) =>
  Effect.suspend(() => {
    clock.set(at)
    return Effect.withClock(Effect.provide(body, mockWeather), clock)
  })

describe("mock forecasts", () => {
  it.effect("put days between six and six also where clocks are changed", () =>
    asking(
      Effect.gen(function* () {
        const { periods } = yield* Effect.flatMap(Forecasts, (forecasts) => forecasts.point(40.7, -74, false))
        const lengths = periods.slice(1, -1).map(({ startsAt, endsAt }) => (endsAt - startsAt) / hour)
        assert.deepStrictEqual([...new Set(lengths)].sort(), [12, 13])
      }),
      Date.UTC(2026, 9, 30, 18),
    ),
  )

  it.effect("come near to what the reports say, the nearer the later they are", () =>
    Effect.gen(function* () {
      const reports = yield* ClimateReports
      const forecasts = yield* Forecasts
      const errors = new Map<number, Array<number>>()
      for (let index = 0; index < 150; index++) {
        const target = addDays("2025-01-10", 3 * index)
        clock.set(climateDayStart(knyc, addDays(target, 3)))
        const [newest] = yield* reports.versions("KNYC", target)
        const [from, to] = [climateDayStart(knyc, target), climateDayStart(knyc, addDays(target, 1))]
        for (const lead of [1, 5]) {
          clock.set(climateDayStart(knyc, addDays(target, -lead)) + 15 * hour)
          const { maxima } = yield* forecasts.grid(knyc)
          const forecast = maxima.find((each) => each.from >= from && each.to <= to)!
          errors.set(lead, [...(errors.get(lead) ?? []), newest!.report.highF! - forecast.tempF])
        }
      }
      const [near, far] = [deviation(errors.get(1)!), deviation(errors.get(5)!)]
      assert.isTrue(near > 1.2 && near < 3.2, `${near}`)
      assert.isTrue(far > near && far < 6.5, `${far}`)
    }).pipe(Effect.provide(mockWeather), Effect.withClock(clock)),
  )

  it.effect("raise every flag somewhere, some day, and list what is not in force as well", () =>
    Effect.gen(function* () {
      const raised = new Set<string>()
      const reasons = new Set<string>()
      const forecasts = yield* Forecasts
      const points = [
        ...stations.map(({ coordinates }) => coordinates),
        { lat: 64.8, lon: -147.7 },
        { lat: 46.8, lon: -92.1 },
      ]
      for (let index = 0; index < 1_500 && (raised.size < Object.keys(rules).length || reasons.size < 3); index++) {
        const at = Date.UTC(2026, 0, 1, 20) + index * 5 * hour
        clock.set(at)
        const { lat, lon } = points[index % points.length]!
        const { periods, alerts } = yield* forecasts.point(lat, lon, false)
        for (const flag of findRiskFlags(cutToWindow(periods, at, 48), listInForce(alerts, at))) raised.add(flag)
        for (const alert of alerts) reasons.add(whyNotInForce(alert, at)?.replace(/ at .*/, "") ?? "in force")
      }
      assert.sameMembers([...raised], Object.keys(rules))
      assert.includeMembers([...reasons], ["in force", "its status is Test", "its message type is Cancel"])
    }).pipe(Effect.provide(layerForecasts), Effect.withClock(clock)),
  )
})

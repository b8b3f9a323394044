// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { temperatureAt } from "../../../../../adapters/lanes/weather/mock/climate.ts"
import { issuedAt, layerForecasts, layerObservations } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { errorOf, spread } from "../../../../../adapters/lanes/weather/mock/forecastError.ts"
import { gridCell, nearestOffice } from "../../../../../adapters/lanes/weather/mock/offices.ts"
import { expectedTemperature } from "../../../../../adapters/lanes/weather/mock/outlook.ts"
import { layer as mockWeather } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { listInForce, whyNotInForce } from "../../../../../core/lanes/weather/forecast/alerts.ts"
import { cutToWindow } from "../../../../../core/lanes/weather/forecast/periods.ts"
import { findRiskFlags, rules } from "../../../../../core/lanes/weather/forecast/riskFlags.ts"
import { ClimateReports, Forecasts, Observations } from "../../../../../core/lanes/weather/ports.ts"
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

describe("points of the generated world", () => {
  const places: ReadonlyArray<readonly [what: string, lat: number, lon: number, office: string, zone: string]> = [
    ["Central Park", 40.7789, -73.9692, "OKX", "America/New_York"],
    ["Midway", 41.786, -87.7524, "LOT", "America/Chicago"],
    ["Denver", 39.8466, -104.6562, "BOU", "America/Denver"],
    ["Los Angeles", 33.938, -118.3888, "LOX", "America/Los_Angeles"],
    ["Tucson", 32.22, -110.97, "PSR", "America/Phoenix"],
    ["Knoxville", 35.96, -83.92, "FFC", "America/New_York"],
    ["Seward", 60.1, -149.44, "AFC", "America/Anchorage"],
    ["Shemya, beyond 180°", 52.72, 174.11, "ALU", "America/Adak"],
    ["Hilo", 19.72, -155.08, "HFO", "Pacific/Honolulu"],
    ["St. Croix", 17.75, -64.7, "SJU", "America/Puerto_Rico"],
    ["Guam", 13.48, 144.79, "GUM", "Pacific/Guam"],
  ]
  for (const [what, lat, lon, id, zone] of places) {
    it(`belong to an office and a zone: ${what}`, () => {
      const office = nearestOffice({ lat, lon })
      assert.deepStrictEqual([office.id, office.zone], [id, zone])
      const { x, y } = gridCell(office, { lat, lon })
      assert.isTrue(Number.isInteger(x) && Number.isInteger(y) && x > 0 && y > 0, `${x},${y}`)
    })
  }

  it("are in each station's local time", () => {
    for (const { id, coordinates, tz } of stations) {
      const spot = findSpot(coordinates)
      assert.deepStrictEqual([spot.station.id, spot.office.zone, spot.shift, spot.warmerF], [id, tz, 0, 0])
    }
  })

  it("are warmest in their own afternoon", () => {
    for (const [what, lat, lon] of places) {
      const spot = findSpot({ lat, lon })
      const temperature = expectedTemperature(spot, now)
      const midnight = climateDayStart(
        { standardOffset: spot.station.standardOffset + spot.shift / hour },
        "2026-07-12",
      )
      const temps = Array.from({ length: 24 }, (_, index) => temperature(midnight + index * hour))
      const warmest = temps.indexOf(Math.max(...temps))
      assert.isTrue(warmest >= 9 && warmest <= 21, `${what}: ${warmest} h`)
    }
  })
})

describe("errors of mock forecasts", () => {
  const days = Array.from({ length: 3_000 }, (_, index) => Date.UTC(2018, 0, 1, 20) + index * day)
  const errors = (lead: number, turn: "low" | "high" = "high") =>
    days.map((at) => errorOf("KNYC", at, turn, at - lead * day))

  it("grow with the lead as they say", () => {
    for (const lead of [0, 0.1, 1, 3, 6]) {
      const found = errors(lead)
      assert.closeTo(deviation(found), spread(lead), 0.06 * spread(lead), `${lead} days`)
      assert.closeTo(found.reduce((a, b) => a + b) / found.length, 0, 0.2, `${lead} days`)
    }
  })

  it("are a random walk: what is learnt later has nothing to do with what was known", () => {
    const [near, far] = [errors(1), errors(4)]
    const learnt = near.map((error, index) => far[index]! - error)
    const product = learnt.reduce((sum, step, index) => sum + step * near[index]!, 0) / days.length
    assert.closeTo(product / (deviation(learnt) * deviation(near)), 0, 0.06)
    assert.closeTo(deviation(learnt) ** 2, spread(4) ** 2 - spread(1) ** 2, 1)
  })

  it("of the two turns of a day go together, of two days not", () => {
    const [high, low] = [errors(2), errors(2, "low")]
    const correlation = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) =>
      a.reduce((sum, value, index) => sum + value * b[index]!, 0) / (a.length * deviation(a) * deviation(b))
    assert.closeTo(correlation(high, low), 0.81, 0.05)
    assert.closeTo(correlation(high.slice(1), high.slice(0, -1)), 0, 0.06)
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
  it.effect("are the same on every run and change with the grid, once an hour", () =>
    Effect.gen(function* () {
      const updates: Array<number> = []
      for (let minutes = 0; minutes < 120; minutes++) {
        const at = now + minutes * minute
        const ask = Effect.flatMap(Forecasts, (forecasts) =>
          Effect.zip(forecasts.point(40.7, -74, true), forecasts.grid(knyc)),
        )
        const [one, other] = [yield* asking(ask, at), yield* asking(ask, at)]
        assert.deepStrictEqual(one, other)
        const [{ updatedAt, location }] = one
        assert.strictEqual(updatedAt, issuedAt(location.grid.office, at))
        assert.isTrue(updatedAt <= at && updatedAt > at - hour)
        updates.push(updatedAt)
      }
      assert.strictEqual(new Set(updates).size, 3)
    }),
  )

  it.effect("have half days with names, and hours that they are made of", () =>
    asking(
      Effect.gen(function* () {
        const forecasts = yield* Forecasts
        const days = cutToWindow((yield* forecasts.point(40.7, -74, false)).periods, now, 168)
        const hours = (yield* forecasts.point(40.7, -74, true)).periods
        assert.deepStrictEqual(
          days.slice(0, 5).map(({ name }) => name),
          ["This Afternoon", "Tonight", "Friday", "Friday Night", "Saturday"],
        )
        for (const { startsAt, endsAt, is_day, temp_f, precip_pct, wind_mph_max } of days) {
          const inside = hours.filter((each) => each.startsAt >= startsAt && each.startsAt < endsAt)
          const temps = inside.map((each) => each.temp_f)
          assert.strictEqual(temp_f, is_day ? Math.max(...temps) : Math.min(...temps))
          assert.strictEqual(precip_pct, Math.max(...inside.map((each) => each.precip_pct!)))
          assert.strictEqual(wind_mph_max, Math.max(...inside.map((each) => each.wind_mph_max!)))
        }
      }),
    ),
  )

  const firsts: ReadonlyArray<readonly [at: number, names: ReadonlyArray<string>]> = [
    [Date.UTC(2026, 6, 9, 7), ["Overnight", "Thursday", "Thursday Night"]],
    [Date.UTC(2026, 6, 9, 12, 59), ["Today", "Tonight", "Friday"]],
    [Date.UTC(2026, 6, 10, 1), ["Tonight", "Friday", "Friday Night"]],
  ]
  for (const [at, names] of firsts) {
    it.effect(`begin with ${names[0]} at ${new Date(at).toISOString()}`, () =>
      asking(
        Effect.gen(function* () {
          const { periods } = yield* Effect.flatMap(Forecasts, (forecasts) => forecasts.point(40.7, -74, false))
          const shown = periods.slice(0, 3).map(({ name }) => name)
          // What is left of the night is followed by the day it ends in.
          assert.deepStrictEqual(shown, names[0] === "Overnight" ? ["Overnight", "Today", "Tonight"] : names)
        }),
        at,
      ),
    )
  }

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

describe("mock observations", () => {
  it.effect("are what the generated thermometers show, in tenths of a degree Celsius", () =>
    asking(
      Effect.gen(function* () {
        for (const station of stations) {
          const found = yield* Effect.flatMap(Observations, ({ since }) => since(station, now - 6 * hour))
          assert.deepStrictEqual(
            found.map(({ at }) => (at % hour) / minute),
            [51, 51, 51, 51, 51, 51],
          )
          for (const { at, tempF } of found) {
            assert.closeTo(tempF, temperatureAt(station, at), 0.0901)
            const tenths = ((tempF - 32) * 50) / 9
            assert.closeTo(tenths, Math.round(tenths), 1e-6)
          }
        }
      }),
    ),
  )

  it.effect("come four minutes after they were read, and are forgotten after a week", () =>
    Effect.gen(function* () {
      const { since } = yield* Observations
      for (const [at, last, count] of [
        [Date.UTC(2026, 6, 9, 18, 54, 59), Date.UTC(2026, 6, 9, 17, 51), 167],
        [Date.UTC(2026, 6, 9, 18, 55), Date.UTC(2026, 6, 9, 18, 51), 168],
      ] as const) {
        clock.set(at)
        const found = yield* since(knyc, 0)
        assert.deepStrictEqual([found.at(-1)!.at, found.length], [last, count])
      }
    }).pipe(Effect.provide(Layer.fresh(layerObservations)), Effect.withClock(clock)),
  )
})

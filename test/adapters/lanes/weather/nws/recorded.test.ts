import { join } from "node:path"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { title } from "../../../../../adapters/lanes/weather/nws/api.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { isSaid } from "../../../../support/faults.ts"
import { within } from "../../../../support/nwsWorld.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { type Route, recorded } from "../../../../support/replay.ts"

const hour = 3_600_000
const knyc = byId.get("KNYC")!
const newYork = knyc.coordinates

describeRealData("what the weather service has answered", (root) => {
  const file = (name: string) => () => recorded(join(root, "weather/nws", name), "application/geo+json")
  const changed = (name: string, change: (body: string) => string) => () => {
    const payload = recorded(join(root, "weather/nws", name), "application/geo+json")
    return { ...payload, body: change(String(payload.body)) }
  }
  const cell = "/gridpoints/TAE/58,65"
  /** A recorded payload as one of the cell, which is said to lie around Central Park. */
  const inNewYork = (name: string) => {
    const payload = recorded(join(root, "weather/nws", name), "application/geo+json")
    const value = JSON.parse(String(payload.body))
    const coordinates = [newYork.lon, newYork.lat]
    const geometry = name.startsWith("points")
      ? { type: "Point", coordinates }
      : { type: "Polygon", coordinates: [[coordinates]] }
    const properties = { ...value.properties, gridId: "TAE", gridX: 58, gridY: "65" }
    return { ...payload, body: JSON.stringify({ ...value, geometry, properties }) }
  }
  const recordings = (forecastFile: string, hourlyFile: string): ReadonlyArray<Route> => [
    { path: "/points/30,-85", reply: file("points.json") },
    { path: `${cell}/forecast`, reply: file(forecastFile) },
    { path: `${cell}/forecast/hourly`, reply: file(hourlyFile) },
    {
      path: "/alerts/active",
      // The list was recorded later than the forecast.
      reply: changed("alerts_active_zone_second.json", (body) =>
        body.replace(/("updated": *)"[^"]*"/, '$1"2019-10-13T18:55:00+00:00"'),
      ),
    },
  ]

  for (const [units, calm] of [
    ["us", 5],
    ["si", 6],
  ] as const) {
    within(
      `is read, in units ${units}`,
      ({ forecasts: port, clock }) =>
        Effect.gen(function* () {
          clock.set(Date.UTC(2019, 9, 13, 19))
          const found = yield* port.point(30, -85, false)
          assert.deepStrictEqual(found.location, {
            lat: 30,
            lon: -85,
            name: "Sumatra, FL",
            grid: { office: "TAE", x: 58, y: 65 },
            timezone: "America/New_York",
          })
          assert.deepStrictEqual([found.updatedAt, found.flags], [Date.UTC(2019, 9, 13, 18, 16, 20), []])
          assert.strictEqual(found.locator, `https://api.weather.gov${cell}/forecast`)
          assert.deepStrictEqual(found.periods, [
            {
              startsAt: Date.UTC(2019, 9, 13, 18),
              endsAt: Date.UTC(2019, 9, 13, 22),
              name: "This Afternoon",
              is_day: true,
              temp_f: 41,
              precip_pct: 20,
              wind_mph_max: 10,
              wind_dir: "S",
              summary: "Chance Showers And Thunderstorms",
            },
            {
              startsAt: Date.UTC(2019, 9, 13, 22),
              endsAt: Date.UTC(2019, 9, 14, 10),
              name: "Tonight",
              is_day: false,
              temp_f: 68,
              wind_mph_max: calm,
              wind_dir: "S",
              summary: "Mostly Clear",
            },
          ])
          assert.deepStrictEqual(
            found.alerts.map(({ id, event, severity }) => [id, event, severity]),
            [
              ["NWS-IDP-PROD-3965873-3369046", "Flood Watch", "Severe"],
              ["NWS-IDP-PROD-3965873-001", "Flood Watch", "Severe"],
            ],
          )
          clock.set(Date.UTC(2019, 9, 15, 0, 30))
          const hours = yield* port.point(30, -85, true)
          assert.deepStrictEqual(
            hours.periods.map(({ temp_f }) => temp_f),
            [78, 77],
          )
        }),
      recordings(`gridpoints_forecast_${units}.json`, `gridpoints_forecast_hourly_${units}.json`),
    )
  }

  within(
    "is read where its numbers are between quotes, and is none where everything is null",
    ({ forecasts: port, clock }) =>
      Effect.gen(function* () {
        clock.set(Date.UTC(2019, 9, 13, 19))
        const [only] = (yield* port.point(30, -85, false)).periods
        assert.deepInclude(only, { temp_f: 41, precip_pct: 20, wind_mph_max: 10 })
        const failure = yield* Effect.flip(port.point(30, -85, true)).pipe(Effect.orDie)
        assert.isTrue(isSaid(failure.message, title, "shape"), failure.message)
      }),
    recordings("gridpoints_forecast_strings_us.json", "gridpoints_forecast_empty_us.json"),
  )

  const grids: ReadonlyArray<
    readonly [name: string, now: number, hours: number, first: number, maxima: ReadonlyArray<number>]
  > = [
    ["detailed_forecast.json", Date.UTC(2022, 1, 4, 4), 182, 73, []],
    ["griddata_nyc_trimmed.json", Date.UTC(2026, 6, 9, 20), 4, 76, [84, 89, 83, 84]],
  ]
  for (const [name, at, hours, first, maxima] of grids) {
    within(
      `is read as a raw grid: ${name}`,
      ({ forecasts: port, clock }) =>
        Effect.gen(function* () {
          clock.set(at)
          const found = yield* port.grid(knyc)
          assert.strictEqual(found.hourly.length, hours)
          assert.closeTo(found.hourly[0]!.tempF, first, 1e-9)
          const instants = found.hourly.map(({ at: start }) => start)
          for (const [index, start] of instants.entries()) assert.strictEqual(start, instants[0]! + index * hour)
          if (maxima.length > 0) {
            assert.deepStrictEqual(
              found.maxima.map(({ tempF }) => Math.round(tempF * 1e9) / 1e9),
              maxima,
            )
          }
          assert.isNotEmpty(found.minima)
        }),
      [
        { path: /^\/points/, reply: () => inNewYork("points.json") },
        { path: cell, reply: () => inNewYork(name) },
      ],
    )
  }

  const readings: ReadonlyArray<readonly [name: string, found: ReadonlyArray<number> | string]> = [
    ["stations_observations.json", [50]],
    ["stations_observations_alternate_units.json", [10]],
    ["stations_observations_other_unitcode.json", [50]],
    ["stations_observations_strings.json", [50]],
    ["stations_observations_metar.json", []],
    ["stations_observations_empty.json", []],
    ["stations_observations_noprop.json", []],
    ["stations_observations_multiple_unsorted.json", [50]],
    ["stations_observations_missing_value.json", "upstream_unavailable"],
  ]
  for (const [name, expected] of readings) {
    within(
      `is read as observations: ${name}`,
      ({ observations: port, clock }) =>
        Effect.gen(function* () {
          clock.set(Date.UTC(2019, 5, 27, 12))
          const found = yield* Effect.either(port.since(knyc, Date.UTC(2019, 5, 27, 5)))
          assert.deepStrictEqual(
            found._tag === "Left" ? found.left.code : found.right.map(({ tempF }) => tempF),
            expected,
          )
        }),
      // Their temperatures were changed by hand, and contradict the coded message.
      [
        {
          path: /observations$/,
          reply: changed(name, (body) => body.replace(/"rawMessage": *"[^"]*",/g, "").replaceAll("KFLL", "KNYC")),
        },
      ],
    )
  }
})

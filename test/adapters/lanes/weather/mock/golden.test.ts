import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { alertsAt } from "../../../../../adapters/lanes/weather/mock/alerts.ts"
import {
  dailyExtremes,
  dailyNormals,
  drawPrecipitation,
  temperatureAt,
} from "../../../../../adapters/lanes/weather/mock/climate.ts"
import { printReport, issuedAt as reportedAt } from "../../../../../adapters/lanes/weather/mock/climateText.ts"
import {
  halfDayPeriods,
  hourlyPeriods,
  issuedAt,
  readingsBetween,
} from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { drawError, interpolateError, toSpread } from "../../../../../adapters/lanes/weather/mock/forecastError.ts"
import { gridCell, nearestOffice } from "../../../../../adapters/lanes/weather/mock/offices.ts"
import { drawTruth, expectedTemperature, outlook } from "../../../../../adapters/lanes/weather/mock/outlook.ts"
import { layer } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { ClimateReports, Forecasts, Observations } from "../../../../../core/lanes/weather/ports.ts"
import { Calibrations } from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { listDays, stations } from "../../../../../core/lanes/weather/stations.ts"
import { day, hour } from "../../../../../core/time.ts"
import { digest } from "../../../../support/digest.ts"

const noon = Date.parse("2026-07-09T17:00:00Z")
/** Days of all times of the year. */
const days = Array.from({ length: 60 }, (_, n) => new Date(noon + 6.1 * n * day).toISOString().slice(0, 10))
/** The stations, and points far from them. */
const points = [
  ...stations.map(({ coordinates }) => coordinates),
  { lat: 64.84, lon: -147.72 },
  { lat: 21.31, lon: -157.86 },
  { lat: 47.6, lon: -122.33 },
  { lat: 18.47, lon: -66.11 },
]
const spots = points.map(findSpot)

// Whoever tries the service compares its answers with those of the documents: a change belongs into CHANGELOG.md.
describe("the generated weather is the same in each release", () => {
  it("its climate", () => {
    const each = <A>(of: (station: (typeof stations)[number], on: string) => A) =>
      digest(stations.map((station) => days.map((on) => of(station, on))))
    const minutes = Array.from({ length: 2_000 }, (_, n) => noon + n * 7 * 60_000)
    assert.deepStrictEqual(
      {
        normals: each(dailyNormals),
        precipitation: each(drawPrecipitation),
        extremes: each((station, on) => dailyExtremes(station, on)),
        begun: each((station, on) => dailyExtremes(station, on, 400)),
        temperatures: digest(minutes.map((at) => temperatureAt(stations[0]!, at))),
        readings: digest(readingsBetween(stations[2]!, noon, noon + day)),
      },
      {
        begun: "9c4c4453",
        extremes: "4fb11cef",
        normals: "6b09dd28",
        precipitation: "3506264e",
        readings: "7c795bc3",
        temperatures: "29d1c2d3",
      },
    )
  })

  it("its reports", () => {
    const kinds = ["preliminary", "final", "correction"] as const
    const each = <A>(of: (station: (typeof stations)[number], on: string, kind: (typeof kinds)[number]) => A) =>
      digest(stations.map((station) => days.map((on) => kinds.map((kind) => of(station, on, kind)))))
    // Among 500 days are those with an odd value, a record or snow.
    const year = listDays("2025-01-01", "2026-05-15")
    assert.deepStrictEqual(
      {
        issued: each(reportedAt),
        texts: each(printReport),
        denver: digest(year.map((on) => printReport(stations.find(({ id }) => id === "KDEN")!, on, "final"))),
      },
      {
        denver: "5416da2c",
        issued: "8584b5e5",
        texts: "acca1d57",
      },
    )
  })

  it("its forecasts", () => {
    const hours = spots.map((spot) => outlook(spot, noon, noon + hour, 60))
    const starts = Array.from({ length: 24 }, (_, n) => noon + n * hour)
    // Each percentage of rain, and of clouds by day and by night.
    const skies = Array.from({ length: 202 }, (_, n) => ({
      ...hours[0]![0]!,
      at: noon + n * hour,
      precipPct: n < 101 ? n : 0,
      clouds: (n % 101) / 100,
    }))
    const winter = outlook(spots[5]!, noon + 200 * day, noon + 200 * day, 180)
    assert.deepStrictEqual(
      {
        spots: digest(spots),
        cells: digest(points.map((point) => gridCell(nearestOffice(point), point))),
        issued: digest(spots.map(({ office }) => issuedAt(office.id, noon))),
        truths: digest(spots.map((spot) => days.map((on) => drawTruth(spot, on)))),
        spreads: [0, 2.5].map(toSpread),
        errors: digest([-1, 0, 5, 6, 30, 100].map((lead) => drawError("KNYC", noon, "high", noon - lead * hour))),
        between: digest(
          Array.from({ length: 48 }, (_, n) =>
            interpolateError(stations[3]!, noon + n * hour, (at, turn) => at / day + turn.length),
          ),
        ),
        temperatures: digest([0, 9, 70].map((lead) => expectedTemperature(spots[1]!, noon)(noon + lead * hour))),
        hours: digest([hours, winter]),
        periods: digest(spots.map((spot, at) => [hourlyPeriods(spot, hours[at]!), halfDayPeriods(spot, hours[at]!)])),
        winterPeriods: digest(halfDayPeriods(spots[5]!, winter)),
        words: digest(hourlyPeriods(spots[0]!, skies)),
        names: digest(starts.map((start) => halfDayPeriods(spots[0]!, outlook(spots[0]!, start, start, 48)))),
        alerts: digest(
          [9, 20].map((at) => spots.map((spot) => days.map((on) => alertsAt(spot, Date.parse(on) + at * hour)))),
        ),
      },
      {
        alerts: "636c98d4",
        between: "a59d8c53",
        cells: "10c1ba87",
        errors: "d2b37613",
        hours: "62e83c17",
        issued: "10c90323",
        names: "d69b4c13",
        periods: "35545c6c",
        spots: "efaba61d",
        spreads: [1.5, 3],
        temperatures: "428fdf4f",
        truths: "7c9d8c43",
        winterPeriods: "e2268188",
        words: "cb4d5ec1",
      },
    )
  })

  it.effect("its ports by the clock", () =>
    Effect.gen(function* () {
      const [reports, forecasts, observations, calibrations] = yield* Effect.all([
        ClimateReports,
        Forecasts,
        Observations,
        Calibrations,
      ])
      const seen: Array<unknown> = []
      for (const later of [0, 4, 9.5, 13, 22]) {
        yield* TestClock.setTime(noon + later * hour)
        seen.push(
          yield* Effect.forEach(["KNYC", "KLAX"], (id) =>
            Effect.all([
              reports.versions(id, "2026-07-09"),
              reports.latestFinalDay(id, "2026-07-10"),
              reports.latestFinalDay(id, "2026-07-04"),
              reports.coverage(id, "2026-07-09"),
              reports.range(id, "2026-07-05", "2026-07-20"),
            ]),
          ),
        )
      }
      const station = stations[4]!
      const point = yield* forecasts.point(40.78, -73.97, false)
      const hourly = yield* forecasts.point(40.78, -73.97, true)
      assert.deepStrictEqual(
        {
          reports: seen.map(digest),
          point: digest(point),
          hourly: digest(hourly),
          grid: digest(yield* forecasts.grid(station)),
          observations: digest(yield* observations.since(station, noon - 400 * hour)),
          calibrations: digest(yield* Effect.forEach(stations, ({ id }) => calibrations.current(id))),
        },
        {
          calibrations: "5fbeec6f",
          grid: "1a8daadf",
          hourly: "94758a0a",
          observations: "c4f6caf1",
          point: "cc88e6de",
          reports: ["96cb0e12", "96cb0e12", "036591b8", "036591b8", "4f853acc"],
        },
      )
    }).pipe(Effect.provide(layer)),
  )
})

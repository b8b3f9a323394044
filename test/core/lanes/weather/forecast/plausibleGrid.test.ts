import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerForecasts } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { dailyWave, whyImplausibleGrid } from "../../../../../core/lanes/weather/forecast/plausibleGrid.ts"
import { Forecasts, type GridForecast } from "../../../../../core/lanes/weather/ports.ts"
import { byId, stations } from "../../../../../core/lanes/weather/stations.ts"
import { clockAt } from "../../../../support/clock.ts"

const hour = 3_600_000
const forecasts = Effect.runSync(Effect.provide(Forecasts, layerForecasts))
const gridAt = (id: string, at: number): GridForecast =>
  Effect.runSync(Effect.withClock(forecasts.grid(byId.get(id)!), clockAt(at)))

const { coordinates } = byId.get("KNYC")!
const grid = gridAt("KNYC", Date.UTC(2026, 6, 9, 18))

describe("a grid", () => {
  it("is plausible at every station, in summer and in winter", () => {
    for (const station of stations) {
      for (const at of [Date.UTC(2026, 6, 9, 18), Date.UTC(2026, 0, 20, 6)]) {
        assert.isUndefined(whyImplausibleGrid(gridAt(station.id, at), station.coordinates), station.id)
      }
    }
  })

  for (const [series, field] of [
    ["maxTemperature", "maxima"],
    ["minTemperature", "minima"],
  ] as const) {
    it(`is refused where more than one value of ${series} is none of its hours`, () => {
      const edited = (count: number): GridForecast => ({
        ...grid,
        [field]: grid[field].map((one, at) => (at >= 2 && at < 2 + count ? { ...one, tempF: one.tempF + 9 } : one)),
      })
      assert.match(
        whyImplausibleGrid(edited(2), coordinates) ?? "",
        new RegExp(
          `^${series} is -?\\d+\\.\\d °F from 2026-07-1\\d.* on, which its hours contradict, as they do 1 other intervals`,
        ),
      )
      assert.isUndefined(whyImplausibleGrid(edited(1), coordinates), "one may be edited by hand")
    })

    it(`may have a ${series} of an interval that has begun: its hours are of the past`, () => {
      const begun = grid[field].map((one) => (one.from <= grid.updatedAt ? { ...one, tempF: one.tempF + 20 } : one))
      assert.isUndefined(whyImplausibleGrid({ ...grid, [field]: begun }, coordinates))
    })
  }

  for (const by of [-8, -5, 5, 8]) {
    it(`is refused with hours of ${by} beside`, () => {
      const hourly = grid.hourly.map(({ at, tempF }) => ({ at: at + by * hour, tempF }))
      const only = { ...grid, hourly, maxima: [], minima: [] }
      assert.match(whyImplausibleGrid(only, coordinates) ?? "", /^temperature is highest at \d+\.\d h solar time/)
    })
  }

  it("without a daily wave, or of fewer than three days, has no hour to be highest at", () => {
    const flat = grid.hourly.map(({ at }) => ({ at: at + 5 * hour, tempF: 50 }))
    const short = grid.hourly.slice(0, 71).map(({ at, tempF }) => ({ at: at + 8 * hour, tempF }))
    for (const hourly of [flat, short]) {
      assert.isUndefined(whyImplausibleGrid({ ...grid, hourly, maxima: [], minima: [] }, coordinates))
    }
  })
})

describe("the daily wave", () => {
  /** A trend of 2 °F a day and a wave that is highest at 15:00 mean solar time. */
  const hours = (lon: number) =>
    Array.from({ length: 96 }, (_, n) => {
      const at = Date.UTC(2026, 6, 9) + n * hour
      return { at, tempF: 60 + n / 12 + 8 * Math.cos(2 * Math.PI * (n / 24 + lon / 360 - 15 / 24)) }
    })
  for (const lon of [0, -74, -118.4, 15]) {
    it(`is found at ${lon}°, beside a trend`, () => {
      const { amplitude, crest } = dailyWave(hours(lon), lon)
      assert.closeTo(amplitude, 8, 0.2)
      assert.closeTo(crest, 15, 0.2)
    })
  }
})

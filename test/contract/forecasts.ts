import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { endpoints } from "../../core/lanes/weather/endpoints.ts"
import { coverage, cutToWindow } from "../../core/lanes/weather/forecast/periods.ts"
import { Forecasts, Observations } from "../../core/lanes/weather/ports.ts"
import { stations } from "../../core/lanes/weather/stations.ts"
import { findZone } from "../../core/zones.ts"

export interface ForecastsOptions {
  /** The instant at which the provider is asked, epoch milliseconds. */
  readonly now: number
}

const hour = 3_600_000

const isAlerts = Schema.is(endpoints.forecast.results.fields.alerts, { onExcessProperty: "error" })
const isLocation = Schema.is(endpoints.forecast.results.fields.location, { onExcessProperty: "error" })

/** Central Park, and a point with as many decimals as there may be. */
const points = [
  [40.7789, -73.9692],
  [40.7, -74.0001],
] as const
const granularities = [false, true] as const

/**
 * What every provider of forecasts owes its callers. Run it against a provider of your own in a Vitest file.
 *
 * @param layer the provider; it is built anew for each test, with the test clock at `options.now`
 *
 * @example
 * forecastsContract("my service", layerOfMine, { now: Date.UTC(2026, 6, 9, 18) })
 */
export const forecastsContract = <E>(
  name: string,
  layer: Layer.Layer<Forecasts, E>,
  { now }: ForecastsOptions,
): void => {
  const asking = <A, F>(body: (forecasts: typeof Forecasts.Service) => Effect.Effect<A, F>) =>
    Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Forecasts, body), layer))

  const everything = (forecasts: typeof Forecasts.Service) =>
    Effect.forEach(
      points.flatMap(([lat, lon]) => granularities.map((hourly) => ({ lat, lon, hourly }))),
      ({ lat, lon, hourly }) => Effect.map(forecasts.point(lat, lon, hourly), (found) => ({ lat, lon, hourly, found })),
    )

  const grids = (forecasts: typeof Forecasts.Service) =>
    Effect.forEach(stations, (station) => Effect.map(forecasts.grid(station), (grid) => ({ station, grid })))

  describe(`the forecasts of ${name}`, () => {
    it.effect("are of the point that was asked for, in a zone that is known", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          for (const { lat, lon, found } of yield* everything(forecasts)) {
            assert.deepStrictEqual([found.location.lat, found.location.lon], [lat, lon])
            assert.isTrue(isLocation(found.location))
            assert.isDefined(findZone(found.location.timezone))
          }
        }),
      ),
    )

    it.effect("have a grid that was updated within twelve hours, and say where it is", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          const dated = [
            ...(yield* everything(forecasts)).map(({ found }) => found),
            ...(yield* grids(forecasts)).map(({ grid }) => grid),
          ]
          for (const { updatedAt, source, locator } of dated) {
            assert.isAtMost(updatedAt, now)
            assert.isAbove(updatedAt, now - 12 * hour)
            assert.isNotEmpty(source)
            assert.isNotEmpty(locator)
          }
        }),
      ),
    )

    it.effect("cover the next two days with whole numbers that can be", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          for (const { hourly, found } of yield* everything(forecasts)) {
            const periods = cutToWindow(found.periods, now, 48)
            assert.isAtLeast(coverage(periods, now, 48), 0.95)
            assert.isAtLeast(periods.length, hourly ? 46 : 4)
            for (const { startsAt, endsAt, temp_f, precip_pct = 0, wind_mph_max = 0, summary } of periods) {
              assert.isAtMost(endsAt - startsAt, hourly ? hour : 14 * hour)
              assert.isTrue(Number.isInteger(temp_f) && temp_f > -90 && temp_f < 140, `${temp_f} °F`)
              assert.isTrue(Number.isInteger(precip_pct) && precip_pct >= 0 && precip_pct <= 100, `${precip_pct} %`)
              assert.isTrue(Number.isInteger(wind_mph_max) && wind_mph_max >= 0, `${wind_mph_max} mph`)
              assert.isNotEmpty(summary)
            }
          }
        }),
      ),
    )

    it.effect("have alerts that keep to their schema, and say where they are listed", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          for (const { found } of yield* everything(forecasts)) {
            assert.isTrue(isAlerts(found.alerts), JSON.stringify(found.alerts))
            assert.isNotEmpty(found.alertSource)
            assert.isNotEmpty(found.alertLocator)
            for (const flag of found.flags) assert.match(flag, /^[a-z]+(_[a-z]+)*$/)
          }
        }),
      ),
    )

    it.effect("have raw grids with each full hour once, in order, a day ahead and more", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          for (const { station, grid } of yield* grids(forecasts)) {
            const hours = grid.hourly.map(({ at }) => at)
            assert.deepStrictEqual(
              hours,
              [...new Set(hours)].sort((a, b) => a - b),
              station.id,
            )
            for (const { at, tempF } of grid.hourly) {
              assert.strictEqual(at % hour, 0)
              assert.isTrue(Number.isFinite(tempF))
            }
            for (let ahead = 1; ahead <= 24; ahead++) {
              assert.include(hours, Math.floor(now / hour) * hour + ahead * hour, station.id)
            }
            for (const { from, to, tempF } of [...grid.maxima, ...grid.minima]) {
              assert.isAbove(to, from)
              assert.isTrue(Number.isFinite(tempF))
            }
          }
        }),
      ),
    )

    it.effect("are the same however many at once ask, while nothing changes", () =>
      asking((forecasts) =>
        Effect.gen(function* () {
          const all = Effect.zip(everything(forecasts), grids(forecasts))
          const before = yield* all
          const [two, three] = yield* Effect.all([all, all], { concurrency: "unbounded" })
          assert.deepStrictEqual([two, three], [before, before])
        }),
      ),
    )
  })
}

/**
 * What every provider of observations owes its callers.
 *
 * @param layer the provider; it is built anew for each test, with the test clock at `options.now`
 */
export const observationsContract = <E>(
  name: string,
  layer: Layer.Layer<Observations, E>,
  { now }: ForecastsOptions,
): void => {
  const asking = <A, F>(body: (observations: typeof Observations.Service) => Effect.Effect<A, F>) =>
    Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Observations, body), layer))

  describe(`the observations of ${name}`, () => {
    it.effect("are in order, each instant once, from the one asked for to now", () =>
      asking((observations) =>
        Effect.gen(function* () {
          for (const station of stations) {
            const from = now - 12 * hour
            const found = yield* observations.since(station, from)
            const instants = found.map(({ at }) => at)
            assert.isAtLeast(found.length, 6, station.id)
            assert.deepStrictEqual(
              instants,
              [...new Set(instants)].sort((a, b) => a - b),
            )
            assert.isAtLeast(instants[0]!, from)
            assert.isAtMost(instants.at(-1)!, now)
            for (const { tempF } of found) assert.isTrue(tempF > -90 && tempF < 140, `${tempF} °F`)
          }
        }),
      ),
    )

    it.effect("from later on are the end of those from earlier on", () =>
      asking((observations) =>
        Effect.gen(function* () {
          for (const station of stations) {
            const [all, some] = yield* Effect.all([
              observations.since(station, now - 12 * hour),
              observations.since(station, now - 5 * hour),
            ])
            assert.deepStrictEqual(
              some,
              all.filter(({ at }) => at >= now - 5 * hour),
            )
            assert.isAtLeast(some.length, 2)
          }
        }),
      ),
    )

    it.effect("of the future there are none", () =>
      asking((observations) =>
        Effect.gen(function* () {
          for (const station of stations) assert.isEmpty(yield* observations.since(station, now + hour))
        }),
      ),
    )
  })
}

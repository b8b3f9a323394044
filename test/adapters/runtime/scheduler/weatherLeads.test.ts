import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { weatherForecastsJob, weatherRecalibrationJob } from "../../../../adapters/lanes/weather/jobs.ts"
import * as mockForecast from "../../../../adapters/lanes/weather/mock/forecast.ts"
import * as sqlCalibrations from "../../../../adapters/lanes/weather/store/Calibrations.ts"
import { runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { JobRuns } from "../../../../core/jobs/JobRuns.ts"
import { SecondForecasts } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { ClimateReports, Forecasts, WeatherLaws } from "../../../../core/lanes/weather/ports.ts"
import { Calibrations, EarlierForecasts, ForecastArchive } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { bucketCount, calibrate, initialStation } from "../../../../core/lanes/weather/signal/calibration.ts"
import { leadDays, type Variable, variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { climateDay, climateDayStart, listDays } from "../../../../core/lanes/weather/stations.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import * as normal from "../../../../core/math/normal.ts"
import { addDays } from "../../../../core/time.ts"
import { day, grid, hour, issuance, nyc, start, usualAt } from "../../../core/lanes/weather/world.ts"

const store = Layer.mergeAll(
  sqlCalibrations.layerForecasts,
  sqlCalibrations.layerStore,
  sqlCalibrations.layerCalibrations,
).pipe(
  Layer.provideMerge(sqlite.layer(":memory:")),
  Layer.merge(Layer.mergeAll(JobRuns.layerMemory, Feeds.layerNone, SecondForecasts.layerNone)),
)

/** The size of the forecasts' errors: highs are harder than the prior says, lows easier; both worse with each day ahead. */
const sizeAt = (variable: Variable, lead: number): number => (variable === "high" ? 2.5 + 0.6 * lead : 1.1 + 0.3 * lead)

/** The error of a day in units of its size: normal, spread evenly over the days by multiples of the golden ratio. */
const errorOf = (on: string): number =>
  normal.quantile((((climateDayStart(nyc, on) / (24 * hour)) * (Math.sqrt(5) - 1)) / 2) % 1)

/** What is forecast for a day at a time; the official values are always 85 and 65 °F. */
const forecastOf = (on: string, now: number) => {
  const off = (variable: Variable) => errorOf(on) * sizeAt(variable, leadDays(nyc, variable, on, now))
  return { high: 85 + off("high"), low: 65 - off("low") }
}

/** A curve through the day's forecast high and low. */
const hoursOf = (on: string, now: number) => {
  const { high, low } = forecastOf(on, now)
  return Array.from({ length: 24 }, (_, at) => ({
    at: climateDayStart(nyc, on) + at * hour,
    tempF: (high + low) / 2 + ((usualAt(at) - 75) / 20) * (high - low),
  }))
}

const grids = Layer.succeed(Forecasts, {
  freshness: "live",
  point: () => Effect.dieMessage("not asked for"),
  grid: (station) =>
    station.id !== "KNYC"
      ? Effect.fail(fail("upstream_unavailable", { detail: "No grid." }))
      : Effect.map(Clock.currentTimeMillis, (now) => {
          const today = climateDay(nyc, now)
          return grid({
            updatedAt: now,
            hourly: listDays(today, addDays(today, 7)).flatMap((on) => hoursOf(on, now)),
          })
        }),
})

/** Each day's final report an hour after its end. */
const reports = Layer.succeed(ClimateReports, {
  freshness: "live",
  versions: (station, on) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const issuedAt = climateDayStart(nyc, on) + 25 * hour
      return station === "KNYC" && issuedAt <= now ? [issuance({ day: on, highF: 85, lowF: 65 }, issuedAt)] : []
    }),
  latestFinalDay: () => Effect.dieMessage("not asked for"),
  range: () => Effect.dieMessage("not asked for"),
  coverage: () => Effect.dieMessage("not asked for"),
})

const days = 70

/** Runs the jobs in the morning and in the evening of each day, until the day of the tests. */
const learned = Effect.gen(function* () {
  for (const on of listDays(addDays(day, -days), addDays(day, -1))) {
    for (const at of [6, 20]) {
      yield* TestClock.setTime(climateDayStart(nyc, on) + at * hour)
      yield* Effect.flatMap(weatherForecastsJob, runOnce).pipe(Effect.provide(grids))
    }
    yield* Effect.flatMap(weatherRecalibrationJob, runOnce).pipe(Effect.provide(reports))
  }
  yield* TestClock.setTime(start + 3 * hour)
  yield* Effect.flatMap(weatherRecalibrationJob, runOnce).pipe(Effect.provide(reports))
})

describe("the archive of forecasts", () => {
  it.effect("teaches the signal the spread of highs and of lows at every lead, each its own", () =>
    Effect.gen(function* () {
      yield* learned
      const calibrations = yield* Calibrations
      const { current } = calibrations
      const { between } = yield* ForecastArchive
      const states = yield* current("KNYC")
      const yesterday = addDays(day, -1)
      const archived = yield* between(yesterday, yesterday)
      for (const variable of variables) {
        const own = archived.filter((one) => one.variable === variable).sort((a, b) => a.bucket - b.bucket)
        assert.deepStrictEqual(
          own.map(({ bucket }) => bucket),
          Array.from({ length: bucketCount }, (_, bucket) => bucket),
        )
        for (const { takenAt } of own) {
          const lead = leadDays(nyc, variable, yesterday, takenAt)
          const name = `${variable}, ${lead.toFixed(2)} days`
          const { sigma, stage, state } = calibrate(nyc, variable, yesterday, lead, states[variable])
          const prior = calibrate(nyc, variable, yesterday, lead, initialStation[variable]).sigma
          assert.isAtLeast(state.n, days - 7, name)
          assert.strictEqual(stage, "calibrated", name)
          const actual = sizeAt(variable, lead)
          assert.isBelow(Math.abs(sigma - actual), Math.abs(prior - actual) / 2, name)
          assert.strictEqual(sigma > prior, variable === "high", name)
        }
      }

      const over = (states: Layer.Layer<Calibrations>) =>
        Effect.flatMap(Weather, ({ signal }) => signal({ station: "KNYC", target: addDays(day, 3) })).pipe(
          Effect.map(({ results }) => results),
          Effect.provide(
            Weather.layer.pipe(
              Layer.provide([
                grids,
                reports,
                mockForecast.layerObservations,
                states,
                EarlierForecasts.layerNone,
                VenueSettlement.layerNone,
                SecondForecasts.layerNone,
                WeatherLaws.layerNone,
                Feeds.layerNone,
              ]),
            ),
          ),
        )
      const taught = yield* over(Layer.succeed(Calibrations, calibrations))
      const prior = yield* over(Calibrations.layerNone)
      assert.match(taught.uncertainty.calibration, /^calibrated: \d+ errors at leads of 3\.5–4\.5 days/)
      assert.isAbove(taught.uncertainty.sigma_f, prior.uncertainty.sigma_f * 1.1)
      /** How likely the likeliest degree is. */
      const peak = (pmf: Readonly<Record<string, number>>): number => Math.max(...Object.values(pmf))
      assert.isAbove(peak(taught.probabilities.low.pmf), peak(prior.probabilities.low.pmf) * 1.1)
      assert.isBelow(peak(taught.probabilities.pmf), peak(prior.probabilities.pmf) / 1.1)
    }).pipe(Effect.provide(store)),
  )
})

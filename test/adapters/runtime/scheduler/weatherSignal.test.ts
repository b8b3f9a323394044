// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import {
  weatherForecastsJob,
  weatherReadingsJob,
  weatherRecalibrationJob,
} from "../../../../adapters/lanes/weather/jobs.ts"
import * as mockForecast from "../../../../adapters/lanes/weather/mock/forecast.ts"
import * as mockWeather from "../../../../adapters/lanes/weather/mock/reports.ts"
import * as sqlCalibrations from "../../../../adapters/lanes/weather/store/Calibrations.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { type Attempt, runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { JobRuns } from "../../../../core/jobs/JobRuns.ts"
import { SecondForecasts } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import {
  ClimateReports,
  Forecasts,
  type Issuance,
  Observations,
  WeatherLaws,
} from "../../../../core/lanes/weather/ports.ts"
import {
  CalibrationStore,
  Calibrations,
  EarlierForecasts,
  ForecastArchive,
} from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { bucketCount, initialStation } from "../../../../core/lanes/weather/signal/calibration.ts"
import { climateDayStart, listDays, stations } from "../../../../core/lanes/weather/stations.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { addDays } from "../../../../core/time.ts"
import { Jobs } from "../../../../services/jobs.ts"
import { day, grid, hour, hourly, issuance, nyc, readings, start } from "../../../core/lanes/weather/world.ts"
import { settings } from "../../../support/running.ts"
import { jobsOf } from "../../../support/world.ts"

const store = Layer.mergeAll(
  sqlCalibrations.layerForecasts,
  sqlCalibrations.layerStore,
  sqlCalibrations.layerCalibrations,
  sqlCalibrations.layerSteps,
).pipe(
  Layer.provide(sqlite.layer(":memory:")),
  Layer.merge(Layer.mergeAll(JobRuns.layerMemory, Feeds.layerNone, SecondForecasts.layerNone)),
)

const finished = (outcome: "ok" | "failed", detail: string): Attempt => ({ _tag: "Finished", outcome, detail })

/** Grids of one curve everywhere, moved to each station's own day; some stations may be down. */
const gridsOf = (warmer: number, source = "test grid", down: ReadonlySet<string> = new Set()) =>
  Layer.succeed(Forecasts, {
    freshness: "live",
    point: () => Effect.dieMessage("not asked for"),
    grid: (station) =>
      down.has(station.id)
        ? Effect.fail(fail("upstream_unavailable", { detail: "No grid." }))
        : Effect.map(Clock.currentTimeMillis, (updatedAt) =>
            grid({ updatedAt, source, hourly: hourly(-24 * 14, 24 * 9, warmer, climateDayStart(station, day)) }),
          ),
  })

/** Reports of New York alone, as they are at the time of asking. */
const reportsOf = (versions: (on: string) => ReadonlyArray<Issuance>) =>
  Layer.succeed(ClimateReports, {
    freshness: "live",
    versions: (station, on) => Effect.succeed(station === "KNYC" ? versions(on) : []),
    latestFinalDay: () => Effect.dieMessage("not asked for"),
    range: () => Effect.dieMessage("not asked for"),
    coverage: () => Effect.dieMessage("not asked for"),
  })

const archive = (warmer = 0, source = "test grid") =>
  Effect.flatMap(weatherForecastsJob, runOnce).pipe(Effect.provide(gridsOf(warmer, source)))
const recalibrate = (versions: (on: string) => ReadonlyArray<Issuance>) =>
  Effect.flatMap(weatherRecalibrationJob, runOnce).pipe(Effect.provide(reportsOf(versions)))

const final = (on: string, changes: Partial<Issuance["report"]> = {}, late = 25) =>
  issuance({ day: on, highF: 87, lowF: 66, ...changes }, climateDayStart(nyc, on) + late * hour)

describe("the jobs of a mode", () => {
  const own = ["weather-forecasts", "weather-recalibration", "weather-readings", "weather-scores"]
  for (const [mode, names] of Object.entries({ mock: [], shadow: [], live: own })) {
    it.effect(`${mode}: ${names.join(", ") || "none of these"}`, () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        assert.deepStrictEqual(
          jobs.map(({ name }) => name).filter((name) => own.includes(name)),
          names,
        )
      }).pipe(
        Effect.provide(
          jobsOf(settings({ weather: mode as "mock" | "shadow" | "live" })).pipe(
            Layer.provide(Layer.merge(sqlite.layer(":memory:"), secrets.layer)),
          ),
        ),
      ),
    )
  }
})

describe("the forecasts job", () => {
  it.effect("stores the first forecast of each day, extreme and lead bucket", () =>
    Effect.gen(function* () {
      const { between } = yield* ForecastArchive
      // Half past six in New York: the day's low is in, its high due in less than nine hours.
      yield* TestClock.setTime(start + 6.5 * hour)
      yield* archive()
      const first = (yield* between(day, addDays(day, 9))).filter(({ station }) => station === "KNYC")
      assert.deepStrictEqual(
        first.map((one) => [one.day, one.variable, one.bucket]),
        listDays(day, addDays(day, 6)).flatMap((on, ahead) => [
          [on, "high", ahead],
          ...(ahead === 0 ? [] : [[on, "low", ahead]]),
        ]),
      )
      assert.isTrue(first.every(({ forecastF, variable }) => forecastF === (variable === "high" ? 85 : 65)))
      // Nothing is new within the bucket, however much the grid has changed.
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* archive(4), finished("ok", "0 new"))
      assert.deepStrictEqual(
        (yield* between(day, addDays(day, 9))).filter(({ station }) => station === "KNYC"),
        first,
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("leaves out an extreme that is nearly in, and hours that the grid does not have", () =>
    Effect.gen(function* () {
      const { between } = yield* ForecastArchive
      const short = Layer.succeed(Forecasts, {
        freshness: "live",
        point: () => Effect.dieMessage("not asked for"),
        grid: (station) => Effect.succeed(grid({ hourly: hourly(10, 43, 0, climateDayStart(station, day)) })),
      })
      yield* TestClock.setTime(start + 10 * hour)
      yield* Effect.flatMap(weatherForecastsJob, runOnce).pipe(Effect.provide(short))
      assert.deepStrictEqual(
        (yield* between(day, addDays(day, 9)))
          .filter(({ station }) => station === "KNYC")
          .map((one) => [one.day, one.variable]),
        // Today's high is due in five hours; tomorrow's evening is not on the grid.
        [[addDays(day, 1), "high"]],
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("stores the others where stations are down, and fails with their number", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const job = yield* weatherForecastsJob.pipe(Effect.provide(gridsOf(0, "test grid", new Set(["KMIA", "KDEN"]))))
      const attempt = yield* runOnce(job)
      assert.match(
        attempt._tag === "Finished" ? attempt.detail : "",
        /^upstream_unavailable: \d+ new; KMIA: No grid\.; KDEN: No grid\.$/,
      )
      const { between } = yield* ForecastArchive
      const kept = new Set((yield* between(day, addDays(day, 9))).map(({ station }) => station))
      assert.deepStrictEqual(kept.size, stations.length - 2)
      const none = yield* weatherForecastsJob.pipe(
        Effect.provide(gridsOf(0, "test grid", new Set(stations.map(({ id }) => id)))),
      )
      yield* TestClock.adjust("1 hour")
      const failed = yield* runOnce(none)
      assert.match(
        failed._tag === "Finished" ? failed.detail : "",
        /^upstream_unavailable: KNYC: No grid\. .*KHOU: No grid\./,
      )
    }).pipe(Effect.provide(store)),
  )
})

describe("the recalibration job", () => {
  it.effect("waits for a final report, counts each error once, and finds nothing to do when run again", () =>
    Effect.gen(function* () {
      const { current } = yield* Calibrations
      yield* TestClock.setTime(start - 18 * hour)
      yield* archive()
      yield* TestClock.setTime(start + 20 * hour)
      const preliminary = (on: string) => [issuance({ day: on, status: "preliminary" }, start + 16 * hour)]
      assert.deepStrictEqual(
        yield* recalibrate(preliminary),
        finished("ok", "0 errors counted; nothing new to publish"),
      )
      yield* TestClock.setTime(start + 30 * hour)
      const finals = (on: string) => (on === day ? [final(on), ...preliminary(on)] : [])
      assert.deepStrictEqual(yield* recalibrate(finals), finished("ok", "2 errors counted; published revision 1"))
      const learned = yield* current("KNYC")
      assert.deepInclude(learned.high[1]!.state, { n: 1, first: day, last: day, source: "test grid", sum: 2 })
      assert.deepInclude(learned.low[1]!.state, { n: 1, sum: 1 })
      assert.strictEqual(learned.high[0], initialStation.high[0])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* recalibrate(finals), finished("ok", "0 errors counted; nothing new to publish"))
      assert.deepStrictEqual(yield* current("KNYC"), learned)
    }).pipe(Effect.provide(store)),
  )

  it.effect("notes a correction beside the error that was counted, and leaves what was learned as it is", () =>
    Effect.gen(function* () {
      const { current } = yield* Calibrations
      const { residuals } = yield* CalibrationStore
      yield* TestClock.setTime(start - 18 * hour)
      yield* archive()
      yield* TestClock.setTime(start + 30 * hour)
      yield* recalibrate((on) => (on === day ? [final(on)] : []))
      const before = yield* current("KNYC")
      yield* TestClock.adjust("1 hour")
      const corrected = (on: string) => (on === day ? [final(on, { highF: 89, correction: true }, 33), final(on)] : [])
      assert.deepStrictEqual(
        yield* recalibrate(corrected),
        finished("ok", "0 errors counted; 1 corrections stored, not counted; published revision 2"),
      )
      assert.deepStrictEqual(yield* current("KNYC"), before)
      const highs = (yield* residuals(day, day)).filter(({ variable }) => variable === "high")
      assert.deepStrictEqual(
        highs.map(({ officialF, residualF, counted }) => [officialF, residualF, counted]),
        [
          [87, 2, true],
          [89, 4, false],
        ],
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* recalibrate(corrected), finished("ok", "0 errors counted; nothing new to publish"))
    }).pipe(Effect.provide(store)),
  )

  it.effect(
    "counts what a corrected report says, where it is the first that is seen, and nothing that is missing",
    () =>
      Effect.gen(function* () {
        const { current } = yield* Calibrations
        yield* TestClock.setTime(start - 18 * hour)
        yield* archive()
        yield* TestClock.setTime(start + 40 * hour)
        const { lowF: _, ...highOnly } = final(day, { highF: 84, correction: true }, 33).report
        const versions = (on: string) => (on === day ? [{ ...final(day, {}, 33), report: highOnly }, final(on)] : [])
        assert.deepStrictEqual(yield* recalibrate(versions), finished("ok", "1 errors counted; published revision 1"))
        const { high, low } = yield* current("KNYC")
        assert.deepStrictEqual([high[1]!.state.n, high[1]!.state.sum, low[1]!.state.n], [1, -1, 0])
      }).pipe(Effect.provide(store)),
  )

  it.effect("gives way to another run that published meanwhile", () =>
    Effect.gen(function* () {
      const { publish, revision } = yield* CalibrationStore
      const asked = yield* Ref.make(false)
      yield* TestClock.setTime(start - 18 * hour)
      yield* archive()
      yield* TestClock.setTime(start + 30 * hour)
      const meddling = Layer.succeed(ClimateReports, {
        freshness: "live",
        versions: (station, on) =>
          Effect.gen(function* () {
            if (!(yield* Ref.getAndSet(asked, true))) {
              const other = { station: "KMIA", day: "2026-07-01", variable: "high", bucket: 1, productId: "x" } as const
              yield* publish(0, [{ ...other, officialF: 90, residualF: 1, counted: true }], [], 1)
            }
            return station === "KNYC" && on === day ? [final(on)] : []
          }),
        latestFinalDay: () => Effect.dieMessage("not asked for"),
        range: () => Effect.dieMessage("not asked for"),
        coverage: () => Effect.dieMessage("not asked for"),
      })
      const attempt = yield* Effect.flatMap(weatherRecalibrationJob, runOnce).pipe(Effect.provide(meddling))
      assert.deepStrictEqual(
        attempt,
        finished("failed", "storage_unavailable: Another recalibration was published in the meantime. Run it again."),
      )
      assert.strictEqual(yield* revision, 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        yield* recalibrate((on) => (on === day ? [final(on)] : [])),
        finished("ok", "2 errors counted; published revision 2"),
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("teaches the signal: from the tenth day on its version, centre and words say so", () =>
    Effect.gen(function* () {
      const calibrations = yield* Calibrations
      const lane = Weather.layer.pipe(
        Layer.provide([gridsOf(0), reportsOf(() => []), mockForecast.layerObservations, VenueSettlement.layerNone]),
        Layer.provide([SecondForecasts.layerNone, WeatherLaws.layerNone]),
        Layer.provide([Layer.succeed(Calibrations, calibrations), EarlierForecasts.layerNone]),
      )
      const tomorrow = Effect.flatMap(Weather, ({ signal }) =>
        signal({ station: "KNYC", target: addDays(day, 1) }),
      ).pipe(Effect.provide(lane))
      for (const on of listDays(addDays(day, -12), day)) {
        yield* TestClock.setTime(climateDayStart(nyc, on) + 7 * hour)
        yield* archive()
        // The days turn out two degrees warmer than they were forecast.
        yield* recalibrate((of) => (of < on ? [final(of, { highF: 87, lowF: 65 })] : []))
      }
      const { results } = yield* tomorrow
      assert.match(results.uncertainty.calibration, /^partial: 1[0-2] errors at leads of 0\.5–1\.5 days/)
      assert.match(results.model_version!, /^temperature-t8-3\.1[0-2]$/)
      assert.isTrue(results.projection.high_f > 85.5 && results.projection.high_f < 87)
    }).pipe(Effect.provide(store)),
  )

  it.effect("learns from a generated season what its offices are capable of", () =>
    Effect.gen(function* () {
      const { current } = yield* Calibrations
      const archiveMock = Effect.flatMap(weatherForecastsJob, runOnce).pipe(Effect.provide(mockForecast.layerForecasts))
      const learn = Effect.flatMap(weatherRecalibrationJob, runOnce).pipe(Effect.provide(mockWeather.layerReports))
      for (const on of listDays(day, addDays(day, 20))) {
        for (const at of [6, 18]) {
          yield* TestClock.setTime(climateDayStart(nyc, on) + at * hour)
          yield* archiveMock
        }
        yield* learn
      }
      for (const { id } of stations) {
        const states = yield* current(id)
        for (const variable of ["high", "low"] as const) {
          for (let bucket = 1; bucket < bucketCount; bucket++) {
            const { n, sum, weight } = states[variable][bucket]!.state
            assert.isAtLeast(n, 21 - bucket - 2, `${id} ${variable} ${bucket}`)
            // Mock offices have no bias; theirs errors are those of the lead.
            assert.isBelow(Math.abs(sum / weight), 5, `${id} ${variable} ${bucket}`)
          }
        }
      }
    }).pipe(Effect.provide(store)),
  )
})

describe("the readings job", () => {
  /** Hourly observations of New York's curve; a station that is down has none. */
  const observed = (down: boolean) =>
    Layer.succeed(Observations, {
      freshness: "live",
      since: (station, from) =>
        down
          ? Effect.fail(fail("upstream_unavailable", { detail: "No observations." }))
          : Effect.succeed(readings(start + 24 * hour).filter(({ at }) => station.id === "KNYC" && at >= from)),
    })
  const learn = (versions: (on: string) => ReadonlyArray<Issuance>, down = false) =>
    Effect.flatMap(weatherReadingsJob, runOnce).pipe(Effect.provide([reportsOf(versions), observed(down)]))
  const finals = (on: string) => (on === day ? [final(on, { highF: 87, lowF: 65 })] : [])

  it.effect("waits for the final report, counts each extreme once, and finds nothing to do when run again", () =>
    Effect.gen(function* () {
      const { current } = yield* Calibrations
      yield* TestClock.setTime(start + 36 * hour)
      const preliminary = (on: string) => (on === day ? [issuance({ day: on, status: "preliminary" })] : [])
      assert.deepStrictEqual(yield* learn(preliminary), finished("ok", "0 extremes counted"))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* learn(finals), finished("ok", "2 extremes counted"))
      const { steps } = yield* current("KNYC")
      // The observations reach 85 °F and 65 °F.
      assert.deepInclude(steps?.high, { n: 1, missed: 2, revision: 1 })
      assert.deepInclude(steps?.low, { n: 1, missed: 0, revision: 1 })
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* learn(finals), finished("ok", "0 extremes counted"))
      assert.deepStrictEqual((yield* current("KNYC")).steps, steps)
    }).pipe(Effect.provide(store)),
  )

  it.effect("fails when no station's observations came, and counts the days later", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 36 * hour)
      assert.deepStrictEqual(
        yield* learn(finals, true),
        finished("failed", "upstream_unavailable: KNYC: No observations."),
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* learn(finals), finished("ok", "2 extremes counted"))
    }).pipe(Effect.provide(store)),
  )
})

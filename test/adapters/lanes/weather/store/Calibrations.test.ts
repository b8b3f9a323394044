import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import {
  layerCalibrations,
  layerEarlier,
  layerForecasts,
  layerSteps,
  layerStore,
} from "../../../../../adapters/lanes/weather/store/Calibrations.ts"
import { layerArchive, layerReports } from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as voids from "../../../../../adapters/lanes/weather/store/Voids.ts"
import { ClimateArchive, Voids } from "../../../../../core/lanes/weather/ports.ts"
import {
  type ArchivedForecast,
  CalibrationStore,
  Calibrations,
  EarlierForecasts,
  ForecastArchive,
  type NewState,
  type Residual,
} from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { type ErrorStats, initialErrors, initialStation } from "../../../../../core/lanes/weather/signal/calibration.ts"
import { recalibrate } from "../../../../../core/lanes/weather/signal/recalibration.ts"
import { type ExtremeStep, StepStore, toVarianceScale } from "../../../../../core/lanes/weather/signal/steps.ts"
import { addDays, day as dayLength } from "../../../../../core/time.ts"
import { issuance } from "../../../../core/lanes/weather/world.ts"
import { anyStore, sharedStore } from "../../../../support/anyStore.ts"

const all = Layer.mergeAll(
  ...[layerForecasts, layerEarlier, layerStore, layerCalibrations, layerSteps, layerArchive, layerReports],
  voids.layer,
)
const inMemory = all.pipe(Layer.provideMerge(anyStore))

const snapshot = (changes: Partial<ArchivedForecast> = {}): ArchivedForecast => ({
  station: "KNYC",
  day: "2026-07-09",
  variable: "high",
  bucket: 1,
  takenAt: 1_000,
  forecastF: 84.37,
  source: "test grid",
  ...changes,
})

const residual = (changes: Partial<Residual> = {}): Residual => ({
  station: "KNYC",
  day: "2026-07-09",
  variable: "high",
  bucket: 1,
  productId: "202607100626-KOKX-CDUS41-CLINYC",
  officialF: 86,
  residualF: 1.63,
  counted: true,
  ...changes,
})

const state = (n: number): ErrorStats => ({
  ...initialErrors,
  n,
  weight: n,
  sum: 1.5 * n,
  first: "2026-07-01",
  source: "grid",
})
const published = (n: number, changes: Partial<NewState> = {}): NewState => ({
  station: "KNYC",
  variable: "high",
  bucket: 1,
  state: state(n),
  ...changes,
})

describe("the archive of forecasts", () => {
  it.effect("stores the first forecast of a key, and returns days in order", () =>
    Effect.gen(function* () {
      const { append, between } = yield* ForecastArchive
      const earlier = yield* EarlierForecasts
      assert.strictEqual(yield* append([]), 0)
      assert.isUndefined(yield* earlier.of(snapshot(), "test grid"))
      assert.strictEqual(yield* append([snapshot(), snapshot({ forecastF: 90 })]), 1)
      assert.strictEqual(yield* append([snapshot({ forecastF: 90, takenAt: 5_000 })]), 0)
      assert.strictEqual(yield* earlier.of(snapshot(), "test grid"), 84.37)
      for (const other of [{ day: "2026-07-08" }, { bucket: 2 }, { variable: "low" }, { station: "KMIA" }] as const) {
        assert.isUndefined(yield* earlier.of(snapshot(other), "test grid"))
      }
      assert.isUndefined(yield* earlier.of(snapshot(), "another grid"))
      const [longer, low, miami, before, after] = [
        snapshot({ bucket: 2 }),
        snapshot({ variable: "low" }),
        snapshot({ station: "KMIA" }),
        snapshot({ day: "2026-07-08" }),
        snapshot({ day: "2026-07-11" }),
      ] as const
      assert.strictEqual(yield* append([longer, low, miami, before, after, snapshot()]), 5)
      assert.deepStrictEqual(yield* between("2026-07-08", "2026-07-10"), [before, miami, snapshot(), longer, low])
      assert.deepStrictEqual(yield* between("2026-07-12", "2026-08-10"), [])
    }).pipe(Effect.provide(inMemory)),
  )

  it.effect("stores all or nothing", () =>
    Effect.gen(function* () {
      const { append, between } = yield* ForecastArchive
      const bad = snapshot({ station: "KMIA", variable: "mean" as never })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(append([snapshot(), bad]))))
      assert.deepStrictEqual(yield* between("2026-07-01", "2026-07-31"), [])
    }).pipe(Effect.provide(inMemory)),
  )
})

describe("what was learned", () => {
  it.effect("is nothing before the first publication, and then the newest of each bucket", () =>
    Effect.gen(function* () {
      const store = yield* CalibrationStore
      const { current } = yield* Calibrations
      assert.strictEqual(yield* store.revision, 0)
      assert.deepStrictEqual(yield* current("KNYC"), initialStation)
      assert.isTrue(
        yield* store.publish(0, [residual()], [published(1), published(4, { variable: "low", bucket: 6 })], 9),
      )
      assert.isTrue(yield* store.publish(1, [residual({ day: "2026-07-10" })], [published(2)], 10))
      const { high, low } = yield* current("KNYC")
      assert.deepStrictEqual(high[1], { state: state(2), revision: 2 })
      assert.deepStrictEqual(low[6], { state: state(4), revision: 1 })
      assert.deepStrictEqual([high[0], low[1]], [initialStation.high[0], initialStation.low[1]])
      assert.deepStrictEqual(yield* current("KMIA"), initialStation)
    }).pipe(Effect.provide(inMemory)),
  )

  it.effect("is not published on top of what nobody has seen", () =>
    Effect.gen(function* () {
      const store = yield* CalibrationStore
      const { current } = yield* Calibrations
      assert.isTrue(yield* store.publish(0, [residual()], [published(1)], 9))
      assert.isFalse(yield* store.publish(0, [residual({ day: "2026-07-10" })], [published(7)], 10))
      assert.deepStrictEqual((yield* current("KNYC")).high[1], { state: state(1), revision: 1 })
      assert.deepStrictEqual(yield* store.residuals("2026-07-01", "2026-07-31"), [residual()])
    }).pipe(Effect.provide(inMemory)),
  )

  it.effect("counts an error once, whatever is offered, and notes what was said later", () =>
    Effect.gen(function* () {
      const store = yield* CalibrationStore
      const { current } = yield* Calibrations
      yield* store.publish(0, [residual()], [published(1)], 9)
      const again = residual({ productId: "202607101240-KOKX-CDUS41-CLINYC-CCA", officialF: 87, residualF: 2.63 })
      for (const offered of [residual(), again]) {
        const exit = yield* Effect.exit(
          store.publish(1, [residual({ day: "2026-07-10" }), offered], [published(2)], 10),
        )
        assert.isTrue(Exit.isFailure(exit))
      }
      // Nothing of the refused publications is left.
      assert.deepStrictEqual((yield* current("KNYC")).high[1], { state: state(1), revision: 1 })
      const noted = { ...again, counted: false }
      assert.isTrue(yield* store.publish(1, [noted], [], 10))
      assert.deepStrictEqual(yield* store.residuals("2026-07-09", "2026-07-09"), [residual(), noted])
      assert.deepStrictEqual((yield* current("KNYC")).high[1], { state: state(1), revision: 1 })
    }).pipe(Effect.provide(inMemory)),
  )

  it.scoped("is seen by a process that was running when another published it, and after a restart", () =>
    Effect.gen(function* () {
      const store = yield* sharedStore
      const open = Layer.build(Layer.fresh(all.pipe(Layer.provide(store))))
      const [one, other] = [yield* open, yield* open]
      const seen = Effect.map(Context.get(other, Calibrations).current("KNYC"), ({ high }) => high[1])
      assert.deepStrictEqual(yield* seen, initialStation.high[1])
      yield* Context.get(one, CalibrationStore).publish(0, [residual()], [published(1)], 9)
      assert.deepStrictEqual(yield* seen, { state: state(1), revision: 1 })
      const later = yield* open
      assert.deepStrictEqual((yield* Context.get(later, Calibrations).current("KNYC")).high[1], {
        state: state(1),
        revision: 1,
      })
    }),
  )
})

describe("what was learned from a report that is voided", () => {
  const days = ["2026-07-08", "2026-07-09"]
  const learnedOf = (voided?: string, left = days) =>
    Effect.gen(function* () {
      const [{ append }, archive, { current }] = yield* Effect.all([ClimateArchive, ForecastArchive, Calibrations])
      yield* TestClock.setTime(Date.UTC(2026, 6, 12))
      for (const day of left) {
        const report = issuance({ day, highF: 90 }, Date.parse(day) + 30 * 3_600_000)
        yield* append([{ issuance: { ...report, productId: `of ${day}` }, text: day }], 1)
        yield* archive.append([snapshot({ day }), snapshot({ day, bucket: 2, forecastF: 80 })])
        yield* Effect.flatMap(StepStore, (store) => store.append([step({ day, productId: `of ${day}` })], 1))
      }
      assert.strictEqual((yield* recalibrate).counted, 2 * left.length)
      if (voided !== undefined) {
        const one = { source: "climate_report", station: "KNYC", day: voided, version: `of ${voided}` } as const
        yield* Effect.flatMap(Voids, (voids) => voids.append({ ...one, reason: "Typed wrong" }))
        const { revision, counted } = yield* recalibrate
        assert.deepStrictEqual([counted, revision !== undefined], [0, true])
        assert.isUndefined((yield* recalibrate).revision)
      }
      const { high, low, steps } = yield* current("KNYC")
      return { states: [...high, ...low].map(({ state }) => state), days: steps?.high?.n }
    }).pipe(Effect.provide(inMemory))

  it.effect("is learned again from all others at the next recalibration", () =>
    Effect.gen(function* () {
      const other = yield* learnedOf(undefined, days.slice(1))
      assert.deepStrictEqual(yield* learnedOf(days[0]), other)
      assert.notDeepEqual((yield* learnedOf()).states, other.states)
    }),
  )
})

const step = (changes: Partial<ExtremeStep> = {}): ExtremeStep => ({
  station: "KNYC",
  day: "2026-07-09",
  variable: "high",
  readF: 85,
  expectedF: 0.5,
  officialF: 87,
  productId: "202607100626-KOKX-CDUS41-CLINYC",
  ...changes,
})

describe("the distance of final reports from the observations", () => {
  it.effect("is stored once per station, day and extreme, under a new revision", () =>
    Effect.gen(function* () {
      const { append, known } = yield* StepStore
      const { current } = yield* Calibrations
      assert.isUndefined((yield* current("KNYC")).steps)
      yield* append([step(), step({ variable: "low", readF: 65, officialF: 66 })], 1_000)
      // A second run with another value changes nothing.
      yield* append([step({ officialF: 99 })], 2_000)
      yield* append([step({ day: "2026-07-10", readF: 80, officialF: 99 }), step({ station: "KMIA" })], 3_000)
      assert.deepStrictEqual([...(yield* known("2026-07-09", "2026-07-09"))].sort(), [
        "KMIA/2026-07-09/high",
        "KNYC/2026-07-09/high",
        "KNYC/2026-07-09/low",
      ])
      const { steps } = yield* current("KNYC")
      assert.deepStrictEqual(steps, {
        // 2 °F on the first day; the second day's 19 °F is a missing observation and counts as 4.
        high: { n: 2, missed: 6, expected: 1, revision: 2, isLearned: false },
        // An official low above the observed one counts as 0.
        low: { n: 1, missed: 0, expected: 0.5, revision: 1, isLearned: false },
      })
      // Two days say nothing yet; of 20, on which nothing was missed, the ratio has an interval.
      assert.deepStrictEqual([toVarianceScale(steps?.high), toVarianceScale(steps?.low)], [1, 1])
      yield* append(
        Array.from({ length: 20 }, (_, at) =>
          step({ day: addDays("2026-07-10", at), variable: "low", readF: 65, officialF: 65 }),
        ),
        4_000,
      )
      const low = (yield* current("KNYC")).steps!.low!
      assert.deepStrictEqual(
        { n: low.n, expected: low.expected, revision: low.revision },
        { n: 21, expected: 10.5, revision: 3 },
      )
      assert.isBelow(toVarianceScale(low), 1)
    }).pipe(Effect.provide(inMemory)),
  )

  it.effect("shares its revisions with the calibrations", () =>
    Effect.gen(function* () {
      const { append } = yield* StepStore
      const { publish } = yield* CalibrationStore
      const { current } = yield* Calibrations
      assert.isTrue(yield* publish(0, [residual()], [published(1)], 9))
      yield* append([step()], 1_000)
      assert.strictEqual((yield* current("KNYC")).steps?.high?.revision, 2)
      assert.isTrue(yield* publish(2, [residual({ day: "2026-07-10" })], [published(2)], 10))
      assert.deepStrictEqual((yield* current("KNYC")).high[1], { state: state(2), revision: 3 })
    }).pipe(Effect.provide(inMemory)),
  )
})

describe("the rate of corrected final reports", () => {
  it.effect("counts the last year's days of a station whose final reports differ", () =>
    Effect.gen(function* () {
      const { append } = yield* ClimateArchive
      const { current } = yield* Calibrations
      const now = Date.UTC(2026, 6, 12)
      yield* TestClock.setTime(now)
      assert.isUndefined((yield* current("KNYC")).corrections)
      const version = (on: string, hours: number, changes: Parameters<typeof issuance>[0]) => {
        const one = issuance({ day: on, ...changes }, Date.parse(on) + hours * 3_600_000)
        return { issuance: { ...one, productId: `${on}-${hours}` }, text: `${on} ${hours}` }
      }
      const old = addDays("2026-07-12", -400)
      yield* append(
        [
          version("2026-07-08", 30, { highF: 86 }),
          version("2026-07-08", 34, { highF: 86, correction: true }),
          version("2026-07-09", 20, { highF: 80, status: "preliminary" }),
          version("2026-07-09", 30, { highF: 86 }),
          version("2026-07-09", 34, { highF: 88, correction: true }),
          version("2026-07-10", 30, { lowF: 60 }),
          version("2026-07-10", 34, { lowF: 61, correction: true }),
          version("2026-07-11", 20, { status: "preliminary" }),
          version(old, 30, { highF: 86 }),
          version(old, 34, { highF: 88, correction: true }),
        ],
        now,
      )
      // The next publication reads the archive again.
      yield* Effect.flatMap(StepStore, (store) => store.append([step()], now + dayLength))
      assert.deepStrictEqual((yield* current("KNYC")).corrections, { days: 3, changed: 2 })
      assert.isUndefined((yield* current("KMIA")).corrections)
    }).pipe(Effect.provide(inMemory)),
  )
})

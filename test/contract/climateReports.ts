import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { ClimateReports, type Issuance, newestFirst } from "../../core/lanes/weather/ports.ts"
import { climateDay, climateDayStart, listDays, stations } from "../../core/lanes/weather/stations.ts"
import { addDays } from "../../core/time.ts"

export interface ClimateReportsOptions {
  /** The instant at which the provider is asked, epoch milliseconds. */
  readonly now: number
  /** The first and the last climate day of a stretch of which every station has a final report at `now`. */
  readonly covered: readonly [first: string, last: string]
  /** A climate day without a report, and there is none of an earlier day either. */
  readonly before: string
}

const daysOf = ([first, last]: readonly [string, string]): ReadonlyArray<string> => listDays(first, last)

/** A report can leave within the hour before its climate day ends: offices keep daylight time, climate days do not. */
const daylightSaving = 3_600_000

const hasFinal = (versions: ReadonlyArray<Issuance>): boolean =>
  versions.some(({ report }) => report.status === "final")

/**
 * What every provider of climate reports owes its callers. Run it against a provider of your own in a Vitest file.
 *
 * @param layer the provider; it is built anew for each test, with the test clock at `options.now`
 *
 * @example
 * climateReportsContract("archive", layerArchive, {
 *   now: Date.UTC(2026, 6, 9, 18),
 *   covered: ["2026-06-25", "2026-07-08"],
 *   before: "2000-01-01",
 * })
 */
export const climateReportsContract = <E>(
  name: string,
  layer: Layer.Layer<ClimateReports, E>,
  options: ClimateReportsOptions,
): void => {
  const { now, before } = options
  const [first, last] = options.covered

  const asking = <A, F>(body: (reports: typeof ClimateReports.Service) => Effect.Effect<A, F>) =>
    Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(ClimateReports, body), layer))

  /** Every covered day of every station, and a week on, where the day of today may have a report already. */
  const everything = (reports: typeof ClimateReports.Service) =>
    Effect.forEach(
      stations.flatMap((station) => daysOf([first, addDays(last, 7)]).map((day) => ({ station, day }))),
      ({ station, day }) => Effect.map(reports.versions(station.id, day), (versions) => ({ station, day, versions })),
    )

  describe(`climate reports of ${name}`, () => {
    it.effect("cover every day of the stretch with a final report", () =>
      asking((reports) =>
        Effect.gen(function* () {
          assert.include(["live", "shadow", "mock"], reports.freshness)
          const found = yield* everything(reports)
          assert.deepStrictEqual(
            found
              .filter(({ day, versions }) => day <= last && !hasFinal(versions))
              .map(({ station, day }) => [station.id, day]),
            [],
          )
        }),
      ),
    )

    it.effect("belong to the station and the day that was asked for", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const { station, day, versions } of yield* everything(reports)) {
            for (const issuance of versions) {
              assert.strictEqual(issuance.station, station.id)
              assert.strictEqual(issuance.report.day, day)
              assert.include(issuance.productId, station.cliProduct)
              assert.isNotEmpty(issuance.source)
              assert.isNotEmpty(issuance.report.station)
            }
          }
        }),
      ),
    )

    it.effect("come newest first, each version once", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const { station, day, versions } of yield* everything(reports)) {
            const at = `${station.id} ${day}`
            assert.deepStrictEqual([...versions].sort(newestFirst), versions, at)
            assert.strictEqual(new Set(versions.map(({ productId }) => productId)).size, versions.length, at)
            if (hasFinal(versions)) assert.strictEqual(versions[0]?.report.status, "final", at)
          }
        }),
      ),
    )

    it.effect("are issued after their day began, and none after now", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const { station, day, versions } of yield* everything(reports)) {
            for (const { issuedAt, report } of versions) {
              const at = `${station.id} ${day} ${new Date(issuedAt).toISOString()}`
              assert.isAtLeast(issuedAt, climateDayStart(station, day), at)
              assert.isAtMost(issuedAt, now, at)
              if (report.status === "final") {
                assert.isAtLeast(issuedAt, climateDayStart(station, addDays(day, 1)) - daylightSaving, at)
              }
            }
          }
        }),
      ),
    )

    it.effect("say of every value what it is", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const { versions } of yield* everything(reports)) {
            for (const { report, productId } of versions) {
              const flags = new Set<string>(report.flags)
              const at = `${productId} ${JSON.stringify(report)}`
              assert.strictEqual(flags.size, report.flags.length, at)
              assert.deepStrictEqual([...report.flags].sort(), report.flags, at)
              assert.strictEqual(flags.has("preliminary"), report.status === "preliminary", at)
              assert.strictEqual(flags.has("correction"), report.correction, at)
              assert.isFalse(report.status === "final" && report.validAsOf !== undefined, at)
              assert.strictEqual(flags.has("high_missing"), report.highF === undefined, at)
              assert.strictEqual(flags.has("low_missing"), report.lowF === undefined, at)
              if (report.highF === undefined) assert.isUndefined(report.highTimeLocal, at)
              if (report.lowF === undefined) assert.isUndefined(report.lowTimeLocal, at)
              for (const degrees of [report.highF, report.lowF]) {
                if (degrees !== undefined) assert.isTrue(Number.isSafeInteger(degrees), at)
              }
              assert.isFalse((report.highF ?? Infinity) < (report.lowF ?? -Infinity), at)
              for (const [item, inches] of [
                ["precip", report.precipIn],
                ["snow", report.snowIn],
              ] as const) {
                if (flags.has(`${item}_missing`)) assert.isUndefined(inches, at)
                if (flags.has(`${item}_trace`)) assert.strictEqual(inches, 0, at)
                if (inches !== undefined) assert.isTrue(Number.isFinite(inches) && inches >= 0, at)
              }
              // An absent value is no key at all, so that it never reaches an answer as null.
              for (const value of Object.values(report)) assert.isTrue(value !== undefined && value !== null, at)
            }
          }
        }),
      ),
    )

    it.effect("are none for a day before the first one and for a day that has not begun", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const station of stations) {
            for (const day of [before, addDays(before, -400), addDays(climateDay(station, now), 1), "2999-12-31"]) {
              assert.deepStrictEqual(yield* reports.versions(station.id, day), [], `${station.id} ${day}`)
            }
          }
        }),
      ),
    )

    it.effect("come as a range of days that says what each day says, and no other day", () =>
      asking((reports) =>
        Effect.gen(function* () {
          const middle = addDays(first, 3)
          const ranges = [
            [first, addDays(last, 7)],
            [first, first],
            [middle, addDays(middle, 1)],
            [addDays(before, -400), addDays(before, 3)],
            [addDays(before, -400), before],
            [addDays(last, 8), "2999-12-31"],
            [last, first],
          ] as const
          for (const station of stations) {
            for (const [start, end] of ranges) {
              const expected = (yield* Effect.forEach(
                daysOf([start < before ? before : start, end > addDays(last, 8) ? addDays(last, 8) : end]),
                (day) => reports.versions(station.id, day),
              )).filter((versions) => versions.length > 0)
              assert.deepStrictEqual<unknown>(
                yield* reports.range(station.id, start, end),
                expected,
                `${station.id} ${start} ${end}`,
              )
            }
          }
        }),
      ),
    )

    it.effect("name the first and the last day that has one", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const station of stations) {
            // A provider may learn of its days as they are asked for.
            yield* reports.range(station.id, first, last)
            const today = climateDay(station, now)
            const coverage = yield* reports.coverage(station.id, today)
            assert.isDefined(coverage)
            const { first: oldest, last: newest } = coverage!
            for (const day of [oldest, newest]) {
              const versions = yield* reports.versions(station.id, day)
              assert.isTrue(hasFinal(versions) || (day === today && versions.length > 0), `${station.id} ${day}`)
            }
            assert.isTrue(before < oldest && oldest <= first, `${station.id} begins ${oldest}`)
            const later = yield* reports.range(station.id, addDays(newest, 1), "2999-12-31")
            assert.deepStrictEqual(
              later.filter((versions) => hasFinal(versions) || versions[0].report.day === today),
              [],
            )
            assert.isTrue(newest >= last, `${station.id} ends ${newest}`)
          }
        }),
      ),
    )

    it.effect("name the latest day that has a final one", () =>
      asking((reports) =>
        Effect.gen(function* () {
          for (const station of stations) {
            for (const today of [...daysOf([addDays(first, 1), addDays(last, 7)]), "2999-12-31"]) {
              let expected = today > addDays(last, 8) ? addDays(last, 8) : addDays(today, -1)
              while (!hasFinal(yield* reports.versions(station.id, expected))) expected = addDays(expected, -1)
              assert.strictEqual(
                yield* reports.latestFinalDay(station.id, today),
                expected,
                `${station.id}, today ${today}`,
              )
            }
            for (const today of [before, addDays(before, 1), addDays(before, -400)]) {
              assert.isUndefined(yield* reports.latestFinalDay(station.id, today), `${station.id}, today ${today}`)
            }
          }
        }),
      ),
    )

    it.effect("are the same however often and however many at once ask", () =>
      asking((reports) =>
        Effect.gen(function* () {
          const one = yield* everything(reports)
          const [two, three] = yield* Effect.all([everything(reports), everything(reports)], {
            concurrency: "unbounded",
          })
          assert.deepStrictEqual(two, one)
          assert.deepStrictEqual(three, one)
        }),
      ),
    )
  })
}

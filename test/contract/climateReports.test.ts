// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { isCorrected, issuedAt, type Kind, printReport } from "../../adapters/lanes/weather/mock/climateText.ts"
import * as mock from "../../adapters/lanes/weather/mock/reports.ts"
import { layerArchive, layerReports } from "../../adapters/lanes/weather/store/ClimateReports.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { ClimateReports } from "../../core/lanes/weather/ports.ts"
import { type ClimateReport, parse } from "../../core/lanes/weather/reports/ClimateReport.ts"
import { ingest } from "../../core/lanes/weather/reports/ingest.ts"
import { daysBetween, type Station, stations } from "../../core/lanes/weather/stations.ts"
import { addDays } from "../../core/time.ts"
import { type ClimateReportsOptions, climateReportsContract } from "./climateReports.ts"

const daysOf = (first: string, last: string): ReadonlyArray<string> =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, n) => addDays(first, n))

const kindsOf = (station: Station, day: string): ReadonlyArray<Kind> =>
  isCorrected(station, day) ? ["preliminary", "final", "correction"] : ["preliminary", "final"]

/** What the mock offices have issued by `now`, in the store. */
const ingested = (first: string, now: number) =>
  Layer.effectDiscard(
    Effect.forEach(
      stations.flatMap((station) =>
        daysOf(first, new Date(now).toISOString().slice(0, 10)).flatMap((day) =>
          kindsOf(station, day)
            .filter((kind) => issuedAt(station, day, kind) <= now)
            .map((kind) => printReport(station, day, kind)),
        ),
      ),
      (text) => ingest(text, "mock daily climate report"),
    ),
  ).pipe(Layer.provideMerge(Layer.merge(layerReports, layerArchive)), Layer.provide(sqlite.layer(":memory:")))

const instants: ReadonlyArray<readonly [name: string, options: ClimateReportsOptions]> = [
  [
    "on a summer afternoon",
    { now: Date.UTC(2026, 6, 9, 18), covered: ["2026-06-28", "2026-07-08"], before: "2000-12-31" },
  ],
  [
    "on a winter evening, with reports of the same day",
    { now: Date.UTC(2026, 0, 9, 1), covered: ["2025-12-28", "2026-01-07"], before: "2000-12-31" },
  ],
  [
    "after midnight, before the final reports",
    { now: Date.UTC(2026, 2, 9, 5, 30), covered: ["2026-02-25", "2026-03-07"], before: "2000-12-31" },
  ],
]

for (const [name, options] of instants) climateReportsContract(`the mock offices ${name}`, mock.layer, options)

for (const [name, options] of instants) {
  const [first] = options.covered
  climateReportsContract(`the store ${name}`, ingested(first, options.now), {
    ...options,
    before: addDays(first, -1),
  })
}

describe("the store", () => {
  it.effect("that was fed by the mock offices says what they say", () =>
    Effect.gen(function* () {
      const [, { now, covered }] = instants[1]!
      const [first] = covered
      yield* TestClock.setTime(now)
      const read = Effect.flatMap(ClimateReports, ({ versions }) =>
        Effect.forEach(
          stations.flatMap(({ id }) => daysOf(first, addDays(first, 14)).map((day) => [id, day] as const)),
          ([id, day]) => versions(id, day),
        ),
      )
      const expected = yield* Effect.provide(read, mock.layer)
      assert.isTrue(expected.some((versions) => versions.length === 3))
      assert.deepStrictEqual(yield* Effect.provide(read, ingested(first, now)), expected)
    }),
  )
})

describe("the mock offices", () => {
  const read = (station: Station, day: string, kind: Kind) => {
    const text = printReport(station, day, kind)
    const parsed = parse(text)
    if (Either.isLeft(parsed))
      assert.fail(`${parsed.left.reason} Line ${parsed.left.line}: ${parsed.left.text}\n${text}`)
    return parsed.right
  }

  const days = daysOf("2024-05-01", addDays("2024-05-01", 799))

  it("issue texts that can be read, for every station on 800 days", {
    timeout: 30_000,
  }, () => {
    const seen = new Map<string, number>()
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
    for (const station of stations) {
      for (const day of days) {
        let reported: ClimateReport | undefined
        for (const kind of kindsOf(station, day)) {
          const { reports, awipsId, issuedAt: at } = read(station, day, kind)
          const report = reports[0]!
          assert.strictEqual(reports.length, 1)
          assert.strictEqual(awipsId, station.cliProduct)
          assert.strictEqual(at, issuedAt(station, day, kind))
          assert.strictEqual(report.day, day)
          assert.strictEqual(report.status, kind === "preliminary" ? "preliminary" : "final")
          assert.strictEqual(report.correction, kind === "correction")
          if (kind === "correction") {
            // The first print is too low, and never below the low.
            const repaired = report.highF! - reported!.highF!
            assert.isTrue(repaired >= 0 && repaired <= 3, `${station.id} ${day}: corrected by ${repaired}`)
            if (repaired > 0) count("corrected high")
          }
          for (const flag of report.flags) count(flag)
          reported = report
        }
      }
    }
    // Every flag that a report can carry.
    for (const what of [
      "corrected high",
      "correction",
      "preliminary",
      ...["high", "low"].flatMap((item) => ["estimated", "missing", "record"].map((mark) => `${item}_${mark}`)),
      ...["precip", "snow"].flatMap((item) =>
        ["annotated", "estimated", "missing", "record", "trace"].map((mark) => `${item}_${mark}`),
      ),
    ]) {
      assert.isAbove(seen.get(what) ?? 0, 0, `${what} is never seen`)
    }
    // Two of a hundred reports are corrected: 144 of 7,200, give or take five deviations.
    assert.closeTo(seen.get("correction")!, 144, 60)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ClimateArchive } from "../../../../core/lanes/weather/ports.ts"
import { daysBetween } from "../../../../core/lanes/weather/stations.ts"
import { asking, newYork, noteLasts, now, type Row, rowsStored, yearsAsked } from "../../../support/archivedReports.ts"
import { archiveRows } from "../../../support/climateUpstreams.ts"
import { faults } from "../../../support/faults.ts"
import { json, type Route } from "../../../support/replay.ts"

describe("a year that is as good as empty", () => {
  const clean = (year: number): ReadonlyArray<Row> => archiveRows(newYork, year, now)
  const between = (from: string, to: string): ReadonlyArray<Row> =>
    clean(2003).filter(({ valid }) => String(valid) >= from && String(valid) <= to)
  /** The archive as it answers for each year. */
  const answering = (years: Readonly<Record<number, ReadonlyArray<Row>>>): ReadonlyArray<Route> => [
    { path: "/json/cli.py", reply: ({ query }) => json({ results: years[Number(query.get("year"))] ?? [] }) },
  ]

  const lastYear = { 2025: clean(2025) }
  const believed: ReadonlyArray<readonly [name: string, rows: ReadonlyArray<Row>]> = [
    ["nothing", []],
    ["its last months", between("2003-09-10", "2003-12-31")],
    ["its last day", between("2003-12-31", "2003-12-31")],
  ]
  for (const [name, some] of believed) {
    it.scopedLive(`lies before the station's first report: ${name}, and last year is there`, () =>
      asking(answering({ ...lastYear, 2003: some }), (reports, upstream, clock) =>
        Effect.gen(function* () {
          const read = reports.range("KNYC", "2003-01-01", "2003-12-31")
          assert.strictEqual((yield* read).length, some.length)
          clock.set(now + noteLasts)
          assert.strictEqual((yield* read).length, some.length)
          assert.deepStrictEqual(yearsAsked(upstream), ["KNYC 2003", "KNYC 2025"])
          assert.strictEqual(yield* rowsStored, 365)
          // What was not there a month ago may have been put there.
          upstream.spoil((_, response) => faults.none(json({ results: clean(2003) }), response))
          clock.set(now + noteLasts + 1)
          assert.strictEqual((yield* read).length, 365)
        }),
      ),
    )
  }

  const doubted: ReadonlyArray<
    readonly [name: string, years: Readonly<Record<number, ReadonlyArray<Row>>>, wanted: number]
  > = [
    ["an archive that has nothing at all", {}, 2003],
    ["an archive that has less than half of last year", { 2025: clean(2025).slice(0, 182) }, 2003],
    ["last year", { 2024: clean(2024) }, 2025],
    ["this year", lastYear, 2026],
    ["a beginning that breaks off", { ...lastYear, 2003: between("2003-01-01", "2003-06-30") }, 2003],
    ["a first day and little behind it", { ...lastYear, 2003: between("2003-06-01", "2003-07-31") }, 2003],
  ]
  for (const [name, years, wanted] of doubted) {
    it.scopedLive(`is no answer: ${name}`, () =>
      asking(answering(years), (reports, upstream, clock) =>
        Effect.gen(function* () {
          const day = `${wanted}-07-05`
          const read = reports.range("KNYC", `${wanted}-02-01`, day)
          assert.strictEqual((yield* Effect.flip(read)).code, "upstream_unavailable")
          // Nothing of it is noted, and once the archive is repaired the days are there.
          const archived = yield* ClimateArchive
          const lacking = yield* archived.unasked("KNYC", `${wanted}-02-01`, day, 0)
          assert.isAbove(lacking.length, 0)
          upstream.spoil((_, response) => faults.none(json({ results: clean(wanted) }), response))
          clock.set(now + 60_001)
          assert.strictEqual((yield* read).length, daysBetween(`${wanted}-02-01`, day) + 1)
        }),
      ),
    )
  }

  it.scopedLive("is not without reports of the last days where it ends before them", () =>
    asking(answering({ ...lastYear, 2003: between("2003-01-01", "2003-12-25") }), (reports, upstream) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Effect.asVoid(reports.range("KNYC", "2003-12-20", "2003-12-31")))
        assert.match(failure.message, /returned 359 of 365 expected reports of KNYC for 2003\..* 10 newest days/)
        // What it has is stored.
        assert.lengthOf(yield* reports.range("KNYC", "2003-12-20", "2003-12-25"), 6)
        assert.deepStrictEqual(yearsAsked(upstream), ["KNYC 2003"])
      }),
    ),
  )

  it.scopedLive("is no answer when a report of an earlier day is stored", () =>
    asking(answering({ ...lastYear, 2002: clean(2002) }), (reports) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* reports.versions("KNYC", "2002-12-31")).length, 1)
        const failure = yield* Effect.flip(reports.versions("KNYC", "2003-07-05"))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.match(failure.message, /0 of 365 expected reports of KNYC for 2003/)
      }),
    ),
  )
})

// Proof: takes about ten seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { printReport } from "../../../../adapters/lanes/weather/mock/climateText.ts"
import { drawIssuance } from "../../../../adapters/lanes/weather/mock/reports.ts"
import { ClimateArchive } from "../../../../core/lanes/weather/ports.ts"
import { listDays } from "../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../core/time.ts"
import { climateReportsContract } from "../../../contract/climateReports.ts"
import {
  asking,
  newYork,
  noteLasts,
  now,
  over,
  type Row,
  rowsStored,
  yearsAsked,
} from "../../../support/archivedReports.ts"
import { archiveRoutes, archiveRow, archiveRows } from "../../../support/climateUpstreams.ts"
import { clockAt } from "../../../support/clock.ts"
import { faults } from "../../../support/faults.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { json, type Route, replay } from "../../../support/replay.ts"

const instants: ReadonlyArray<readonly [name: string, now: number, covered: readonly [string, string]]> = [
  ["on a summer afternoon", Date.UTC(2026, 6, 9, 18), ["2026-06-28", "2026-07-08"]],
  ["in the first days of a year", Date.UTC(2026, 0, 5, 18), ["2025-12-28", "2026-01-04"]],
]
for (const [name, now, covered] of instants) {
  const archive = Layer.unwrapScoped(Effect.map(replay(archiveRoutes(() => now)), ({ url }) => over(url)))
  climateReportsContract(
    `an empty store that asks the archive ${name}`,
    // Sockets take real time: a clock that stands still would never wake who waits for one.
    Layer.merge(archive, Layer.setClock(clockAt(now))),
    // The archive keeps the newest report of each day alone, and goes back to the beginning.
    { now, covered, before: "2000-12-31" },
  )
}

const archive = archiveRoutes(() => now)
const good2026 = archiveRows(newYork, 2026, now)

/** An archive of this year's rows, some days' replaced. */
const thisYear = (changes: Readonly<Record<string, Row | undefined>>): ReadonlyArray<Route> => {
  const results = good2026.flatMap((row) => {
    const day = String(row["valid"])
    return day in changes ? (changes[day] ?? []) : [row]
  })
  return [{ path: "/json/cli.py", reply: json({ results }) }]
}

describe("a stretch that nobody has asked for", () => {
  it.scopedLive("is fetched with its years, once", () =>
    asking(archive, (reports, upstream) =>
      Effect.gen(function* () {
        const read = reports.range("KNYC", "2025-12-01", "2026-01-31")
        const found = yield* read
        assert.deepStrictEqual(
          found.map(([{ report }]) => report.day),
          listDays("2025-12-01", "2026-01-31"),
        )
        assert.deepStrictEqual(yearsAsked(upstream), ["KNYC 2025", "KNYC 2026"])
        assert.deepStrictEqual(yield* read, found)
        assert.strictEqual((yield* reports.range("KNYC", "2025-02-01", "2026-03-01")).length, 394)
        assert.strictEqual((yield* reports.versions("KNYC", "2025-06-30")).length, 1)
        assert.strictEqual(yearsAsked(upstream).length, 2)
        // Another station is another question.
        yield* reports.versions("KDEN", "2025-06-30")
        assert.deepStrictEqual(yearsAsked(upstream).slice(2), ["KDEN 2025"])
      }),
    ),
  )

  it.scopedLive("is one question, however many ask at once, and whoever of them goes away", () =>
    asking(archive, (reports, upstream) =>
      Effect.gen(function* () {
        upstream.spoil((good, response) => setTimeout(() => faults.none(good, response), 50))
        const impatient = yield* Effect.fork(reports.range("KNYC", "2025-03-01", "2025-03-31"))
        yield* Effect.yieldNow()
        const waiting = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 20 }), () => reports.range("KNYC", "2025-03-01", "2025-03-31"), {
            concurrency: "unbounded",
          }),
        )
        yield* Effect.sleep("20 millis")
        yield* Fiber.interrupt(impatient)
        for (const found of yield* Fiber.join(waiting)) assert.strictEqual(found.length, 31)
        assert.deepStrictEqual(yearsAsked(upstream), ["KNYC 2025"])
      }),
    ),
  )

  it.scopedLive("has none where an archive that has the rest has none, and is asked for again after a month", () =>
    asking(thisYear({ "2026-05-01": undefined }), (reports, upstream, clock) =>
      Effect.gen(function* () {
        const read = reports.range("KNYC", "2026-04-30", "2026-05-02")
        const days = Effect.map(read, (found) => found.map(([{ report }]) => report.day))
        assert.deepStrictEqual(yield* days, ["2026-04-30", "2026-05-02"])
        assert.deepStrictEqual(yield* reports.versions("KNYC", "2026-05-01"), [])
        clock.set(now + noteLasts)
        assert.deepStrictEqual(yield* days, ["2026-04-30", "2026-05-02"])
        assert.strictEqual(yearsAsked(upstream).length, 1)
        // An archive that does not answer takes nothing away that it said before.
        clock.set(now + noteLasts + 1)
        upstream.spoil(faults.html)
        assert.deepStrictEqual(yield* days, ["2026-04-30", "2026-05-02"])
        const repaired = archiveRow(drawIssuance(newYork, "2026-05-01", "final"))
        upstream.spoil((_, response) => faults.none(json({ results: [...good2026, repaired] }), response))
        clock.set(now + noteLasts + 120_000)
        assert.deepStrictEqual(yield* days, ["2026-04-30", "2026-05-01", "2026-05-02"])
        assert.deepStrictEqual(yield* days, ["2026-04-30", "2026-05-01", "2026-05-02"])
      }),
    ),
  )

  it.scopedLive("before the archive begins or after the last report that is overdue is never asked for", () =>
    asking(archive, (reports, upstream, clock) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* reports.range("KNYC", "1999-01-01", "2000-12-31"), [])
        // Eight hours after the end of a day its report can still come.
        clock.set(Date.UTC(2026, 6, 9, 5) + 8 * 3_600_000 - 1)
        assert.deepStrictEqual(yield* reports.range("KNYC", "2026-07-08", "2026-07-09"), [])
        assert.deepStrictEqual(yield* reports.versions("KNYC", "2026-07-08"), [])
        assert.strictEqual(yearsAsked(upstream).length, 0)
        clock.set(Date.UTC(2026, 6, 9, 5) + 8 * 3_600_000)
        assert.strictEqual((yield* reports.range("KNYC", "2026-07-08", "2026-07-09")).length, 1)
        assert.strictEqual(yearsAsked(upstream).length, 1)
      }),
    ),
  )

  it.scopedLive("is looked for when the latest report is overdue, and the older one serves when there is none", () =>
    asking(archive, (reports, upstream, clock) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reports.latestFinalDay("KNYC", "2026-07-09"), "2026-07-08")
        assert.strictEqual(yearsAsked(upstream).length, 1)
        // Two days on, the archive still ends where it ended.
        clock.set(now + 2 * 86_400_000)
        upstream.spoil((_, response) => faults.none(json({ results: good2026 }), response))
        assert.strictEqual(yield* reports.latestFinalDay("KNYC", "2026-07-11"), "2026-07-08")
        assert.strictEqual(yield* reports.latestFinalDay("KNYC", "2026-07-11"), "2026-07-08")
        assert.strictEqual(yearsAsked(upstream).length, 2)
      }),
    ),
  )

  it.scopedLive("is asked for again when the archive may lag behind the offices", () => {
    const lacking = listDays("2026-07-01", "2026-07-08")
    const [first, last] = [lacking[0]!, lacking.at(-1)!]
    return asking(thisYear(Object.fromEntries(lacking.map((day) => [day, undefined]))), (reports, upstream, clock) =>
      Effect.gen(function* () {
        const read = reports.range("KNYC", first, last)
        assert.deepStrictEqual(yield* read, [])
        assert.deepStrictEqual(yield* read, [])
        assert.strictEqual(yearsAsked(upstream).length, 1)
        const archived = yield* ClimateArchive
        // The last three are not certain yet.
        assert.deepStrictEqual(yield* archived.unasked("KNYC", first, last, 0), lacking.slice(-3))
        clock.set(now + 600_001)
        assert.deepStrictEqual(yield* read, [])
        assert.strictEqual(yearsAsked(upstream).length, 2)
        // More than half of ten days are no days without reports, but an archive that has lost its end.
        clock.set(now + 3 * 86_400_000)
        assert.strictEqual((yield* Effect.flip(read)).code, "upstream_unavailable")
        assert.deepStrictEqual(yield* archived.unasked("KNYC", first, last, 0), lacking.slice(-3))
      }),
    )
  })

  const final = drawIssuance(newYork, "2026-07-07", "final")
  it.scopedLive("is asked for again after a while where a row was refused: nobody knows that there is none", () =>
    asking(thisYear({ "2026-07-07": archiveRow(final, { high: 200 }) }), (reports, upstream, clock) =>
      Effect.gen(function* () {
        const read = reports.versions("KNYC", "2026-07-07")
        assert.deepStrictEqual(yield* read, [])
        assert.deepStrictEqual(yield* read, [])
        assert.strictEqual(yearsAsked(upstream).length, 1)
        const archived = yield* ClimateArchive
        assert.include(yield* archived.unasked("KNYC", "2026-07-01", "2026-07-08", 0), "2026-07-07")
        clock.set(now + 600_001)
        assert.deepStrictEqual(yield* read, [])
        assert.strictEqual(yearsAsked(upstream).length, 2)
      }),
    ),
  )

  const unfinished = archiveRow(drawIssuance(newYork, "2026-07-07", "preliminary"))
  it.scopedLive("returns a preliminary report for a day without a final one", () =>
    asking(thisYear({ "2026-07-07": unfinished }), (reports, upstream) =>
      Effect.gen(function* () {
        const [versions, ...more] = yield* reports.range("KNYC", "2026-07-07", "2026-07-07")
        assert.deepStrictEqual([versions?.[0].report.status, more.length], ["preliminary", 0])
        assert.strictEqual((yield* reports.versions("KNYC", "2026-07-07")).length, 1)
        assert.strictEqual(yearsAsked(upstream).length, 1)
      }),
    ),
  )
})

describe("a row that was issued in the last hour of its day", () => {
  const day = "2026-07-07"
  // 04:30 UTC: half an hour before the climate day ends, half an hour after it by the office's clock.
  const headed = (text: string): string => text.replace(/\d{6}(?=\n)/, "080430")
  const productId = "202607080430-KOKX-CDUS41-CLINYC"
  const row = archiveRow(drawIssuance(newYork, day, "final"), { product: productId })
  const serving = (text: string): ReadonlyArray<Route> => [
    ...thisYear({ [day]: row }),
    { path: `/api/1/nwstext/${productId}`, reply: { headers: { "content-type": "text/plain" }, body: text } },
  ]
  const final = headed(printReport(newYork, day, "final"))

  it.scopedLive("is what the text of its product says it is", () =>
    asking(serving(final), (reports) =>
      Effect.gen(function* () {
        const [stored, ...more] = yield* reports.versions("KNYC", day)
        assert.deepStrictEqual([stored?.productId, stored?.report.status, more.length], [productId, "final", 0])
        assert.deepStrictEqual(stored?.report, drawIssuance(newYork, day, "final").report)
      }),
    ),
  )

  const contradicted: ReadonlyArray<readonly [name: string, text: string]> = [
    ["another high", final.replace(/(MAXIMUM +)\d+/, "$1 70")],
    ["another day", final.replace("FOR JULY 7 2026", "FOR JULY 6 2026")],
    ["another product", final.replace("080430", "080431")],
    ["no number", final.replace(/(MAXIMUM +)\d+/, "$1 XX")],
  ]
  for (const [name, text] of contradicted) {
    it.scopedLive(`is refused when the text says ${name}`, () =>
      asking(serving(text), (reports) =>
        Effect.gen(function* () {
          assert.notStrictEqual(text, final)
          assert.deepStrictEqual(yield* reports.versions("KNYC", day), [])
          const archived = yield* ClimateArchive
          assert.deepStrictEqual(yield* archived.unasked("KNYC", day, day, 0), [day])
        }),
      ),
    )
  }

  it.scopedLive("fails alone when its text cannot be had: the other days are stored", () =>
    asking(thisYear({ [day]: row }), (reports, upstream, clock) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(reports.versions("KNYC", day))).code, "upstream_unavailable")
        assert.strictEqual((yield* reports.versions("KNYC", "2026-07-06")).length, 1)
        const archived = yield* ClimateArchive
        assert.deepStrictEqual(yield* archived.unasked("KNYC", "2026-07-01", "2026-07-06", 0), [])
        assert.deepStrictEqual(yield* archived.unasked("KNYC", day, day, 0), [day])
        clock.set(now + 60_001)
        assert.strictEqual((yield* Effect.flip(reports.range("KNYC", day, day))).code, "upstream_unavailable")
        assert.strictEqual(yearsAsked(upstream).length, 2)
      }),
    ),
  )
})

describe.concurrent("an archive in trouble", () => {
  for (const [name, fault] of Object.entries(faults)) {
    if (name === "none") continue
    it.scopedLive(`${name}: no read is answered, nothing is stored, and the next good answer is`, () =>
      asking(
        archive,
        (reports, upstream, clock) =>
          Effect.gen(function* () {
            upstream.spoil(fault)
            const reads = {
              range: reports.range("KNYC", "2025-03-01", "2025-03-31"),
              versions: reports.versions("KNYC", "2025-03-05"),
              latestFinalDay: reports.latestFinalDay("KNYC", addDays("2026-07-08", 1)),
            }
            for (const [method, read] of Object.entries<Effect.Effect<unknown, { readonly code: string }>>(reads)) {
              assert.strictEqual((yield* Effect.flip(read)).code, "upstream_unavailable", method)
            }
            assert.strictEqual(yield* rowsStored, 0)
            upstream.spoil()
            // A failure is remembered for a minute at the most. A busy machine may be later than the short time limit.
            let minutes = 0
            const later = Effect.suspend(() => {
              clock.set(now + ++minutes * 60_001)
              return reads.range
            })
            assert.strictEqual((yield* Effect.retry(later, { times: 4 })).length, 31)
          }),
        name === "hang" || name === "drip" ? impatient : patient,
      ),
    )
  }
})

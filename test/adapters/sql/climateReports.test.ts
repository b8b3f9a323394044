import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { textOf } from "../../../adapters/lanes/weather/mock/climateText.ts"
import { layerArchive, layerReports } from "../../../adapters/lanes/weather/store/ClimateReports.ts"
import { ClimateArchive, ClimateReports, type Issuance } from "../../../core/lanes/weather/ports.ts"
import type { ClimateReport, QualityFlag } from "../../../core/lanes/weather/reports/ClimateReport.ts"
import { type Ingested, ingest } from "../../../core/lanes/weather/reports/ingest.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../core/time.ts"
import { anyStore } from "../../support/anyStore.ts"
import { issuance as issuanceOf } from "../../support/issuances.ts"

/** A test over a new store. */
const inMemory = <A, E>(effect: Effect.Effect<A, E, ClimateArchive | ClimateReports | SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.merge(layerArchive, layerReports).pipe(Layer.provideMerge(anyStore)))

const append = (issuance: Issuance, text = "text", receivedAt = 1) =>
  Effect.flatMap(ClimateArchive, (archive) =>
    Effect.map(archive.append([{ issuance, text }], receivedAt), ([appended]) => appended),
  )

const versions = (station: string, day: string) =>
  Effect.flatMap(ClimateReports, (reports) => reports.versions(station, day))

const latestFinalDay = (station: string, today: string) =>
  Effect.flatMap(ClimateReports, (reports) => reports.latestFinalDay(station, today))

const stored = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ text: string; received_at: number }>`SELECT * FROM climate_reports ORDER BY 1`,
)

const day = "2026-07-08"

const issuance = (changes: Partial<Omit<Issuance, "report">> = {}, report: Partial<ClimateReport> = {}): Issuance =>
  issuanceOf(
    day,
    {
      productId: "202607090626-KOKX-CDUS41-CLINYC",
      issuedAt: Date.UTC(2026, 6, 9, 6, 26),
      source: "test",
      ...changes,
    },
    { highTimeLocal: "347 PM", lowTimeLocal: "440 AM", precipIn: 0.12, snowIn: 0, ...report },
  )

const preliminary = (productId: string, issuedAt: number, report: Partial<ClimateReport> = {}): Issuance =>
  issuance({ productId, issuedAt }, { status: "preliminary", validAsOf: "0400 PM", flags: ["preliminary"], ...report })

describe("the archive", () => {
  it.effect("stores a version once and knows it again, wherever it comes from", () =>
    inMemory(
      Effect.gen(function* () {
        assert.strictEqual(yield* append(issuance(), "first", 10), "stored")
        const before = yield* stored
        assert.strictEqual(yield* append(issuance(), "first", 11), "known")
        assert.strictEqual(yield* append(issuance({ source: "another archive" }), "first, reformatted", 12), "known")
        assert.deepStrictEqual(yield* stored, before)
        assert.deepStrictEqual(
          before.map(({ text, received_at }) => [text, received_at]),
          [["first", 10]],
        )
      }),
    ),
  )

  const { highF: _, ...withoutHigh } = issuance().report
  const conflicting: ReadonlyArray<readonly [name: string, changed: Issuance]> = [
    ["another high", issuance({}, { highF: 86 })],
    ["no high", { ...issuance(), report: withoutHigh }],
    ["another low", issuance({}, { lowF: 63 })],
    ["another time of the high", issuance({}, { highTimeLocal: "348 PM" })],
    ["another time of the low", issuance({}, { lowTimeLocal: "0440 AM" })],
    ["another amount of rain", issuance({}, { precipIn: 0.13 })],
    ["snow", issuance({}, { snowIn: 0.1 })],
    ["a flag", issuance({}, { flags: ["precip_trace"] })],
    ["another status", issuance({}, { status: "preliminary" })],
    ["a time of validity", issuance({}, { validAsOf: "0400 PM" })],
    ["a correction", issuance({}, { correction: true })],
    ["another headline", issuance({}, { station: "LA GUARDIA NY" })],
    ["another time of issue", issuance({ issuedAt: 5 })],
  ]
  for (const [name, changed] of conflicting) {
    it.effect(`refuses ${name} under the same product id`, () =>
      inMemory(
        Effect.gen(function* () {
          yield* append(issuance())
          const before = yield* stored
          assert.strictEqual(yield* append(changed), "conflict")
          assert.deepStrictEqual(yield* stored, before)
          assert.deepStrictEqual(yield* versions("KNYC", day), [issuance()])
        }),
      ),
    )
  }

  it.effect("keeps every version, and gives the newest first: final, then time of issue, then product id", () =>
    inMemory(
      Effect.gen(function* () {
        const correction = issuance({ productId: "c", issuedAt: 300 }, { correction: true, flags: ["correction"] })
        const twin = issuance({ productId: "d", issuedAt: 300 })
        const final = issuance({ productId: "b", issuedAt: 200 })
        const late = preliminary("p2", 400)
        const early = preliminary("p1", 100)
        for (const each of [late, final, twin, early, correction]) {
          assert.strictEqual(yield* append(each), "stored")
        }
        assert.deepStrictEqual(yield* versions("KNYC", day), [twin, correction, final, late, early])
      }),
    ),
  )

  it.effect("keeps stations and days apart, also when one product carries both", () =>
    inMemory(
      Effect.gen(function* () {
        const houston = issuance({ station: "KHOU", productId: "x" })
        const others = [
          issuance({ station: "KMDW", productId: "x" }),
          issuance({ station: "KHOU", productId: "x" }, { day: "2026-07-07" }),
        ]
        for (const each of [houston, ...others]) assert.strictEqual(yield* append(each), "stored")
        assert.deepStrictEqual(yield* versions("KHOU", day), [houston])
        assert.deepStrictEqual(yield* versions("KHOU", "2026-07-09"), [])
        assert.deepStrictEqual(yield* versions("KBOS", day), [])
      }),
    ),
  )

  it.effect("names the latest day with a final report, whatever is preliminary or not over", () =>
    inMemory(
      Effect.gen(function* () {
        assert.isUndefined(yield* latestFinalDay("KNYC", day))
        yield* append(preliminary("p", 1, { day: "2026-07-07" }))
        assert.isUndefined(yield* latestFinalDay("KNYC", day))
        for (const final of ["2025-12-31", "2026-07-05", "2026-07-04", "2026-07-08", "2026-07-10"]) {
          yield* append(issuance({}, { day: final }))
        }
        yield* append(issuance({ station: "KMDW" }, { day: "2026-07-06" }))
        const expected: ReadonlyArray<readonly [today: string, latest: string | undefined]> = [
          ["2025-12-31", undefined],
          ["2026-01-01", "2025-12-31"],
          ["2026-07-05", "2026-07-04"],
          ["2026-07-06", "2026-07-05"],
          ["2026-07-08", "2026-07-05"],
          ["2026-07-09", "2026-07-08"],
          ["2026-07-10", "2026-07-08"],
          ["2026-07-11", "2026-07-10"],
        ]
        for (const [today, latest] of expected) assert.strictEqual(yield* latestFinalDay("KNYC", today), latest, today)
      }),
    ),
  )

  const flags: ReadonlyArray<QualityFlag> = [
    "correction",
    "high_estimated",
    "high_missing",
    "low_record",
    "precip_annotated",
    "precip_trace",
    "preliminary",
    "snow_missing",
  ]
  const hundredths = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)
  const clock = fc.constantFrom("347 PM", "3:38 PM", "0714 PM", "1200 AM")
  const arbitraryReport = fc.record(
    {
      station: fc.constantFrom("CENTRAL PARK NY", 'CHICAGO\'S "MIDWAY"', "SAN JOSÉ; DROP TABLE"),
      day: fc.constant(day),
      status: fc.constantFrom("final" as const, "preliminary" as const),
      validAsOf: clock,
      correction: fc.boolean(),
      highF: fc.integer({ min: -80, max: 140 }),
      lowF: fc.integer({ min: -80, max: 140 }),
      highTimeLocal: clock,
      lowTimeLocal: clock,
      precipIn: hundredths,
      snowIn: hundredths,
      flags: fc.subarray([...flags]),
    },
    { requiredKeys: ["station", "day", "status", "correction", "flags"] },
  )

  it.effect("gives back what was stored: absent values absent, numbers exact, flags in order", () =>
    inMemory(
      Effect.forEach(fc.sample(fc.tuple(arbitraryReport, fc.nat()), 50), ([drawn, issuedAt], at) =>
        Effect.gen(function* () {
          const report = { ...drawn, day: addDays(day, at) }
          const given: Issuance = { station: "KNYC", productId: "id", issuedAt, source: "test", report }
          assert.strictEqual(yield* append(given), "stored")
          assert.deepStrictEqual(yield* versions("KNYC", report.day), [given])
          assert.strictEqual(yield* append(given), "known")
        }),
      ),
    ),
  )
})

describe("ingest", () => {
  const newYork = byId.get("KNYC")!
  const houston = byId.get("KHOU")!
  const source = "test archive"
  const final = textOf(newYork, day, "final")
  const morningAfter = Date.UTC(2026, 6, 9, 18)

  /** Offers a text at an instant; what became of its reports. */
  const offered = (text: string, now = morningAfter) => Effect.zipRight(TestClock.setTime(now), ingest(text, source))

  const outcomesOf = (outcomes: ReadonlyArray<Ingested>): ReadonlyArray<string> =>
    outcomes.map((outcome) => ("reason" in outcome ? `${outcome._tag}: ${outcome.reason}` : outcome._tag))

  it.effect("stores a report with the text it was read from", () =>
    inMemory(
      Effect.gen(function* () {
        const [outcome] = yield* offered(final)
        assert.strictEqual(outcome?._tag, "Stored")
        const found = yield* versions("KNYC", day)
        assert.strictEqual(found.length, 1)
        assert.deepStrictEqual(outcome?._tag === "Stored" ? outcome.issuance : undefined, found[0])
        assert.strictEqual(found[0]!.source, source)
        assert.strictEqual(found[0]!.report.highF, 81)
        assert.deepStrictEqual(
          (yield* stored).map(({ text, received_at }) => [text, received_at]),
          [[final, morningAfter]],
        )
      }),
    ),
  )

  it.effect("changes nothing when a text is offered twice, or from another archive", () =>
    inMemory(
      Effect.gen(function* () {
        yield* offered(final)
        const before = yield* stored
        assert.deepStrictEqual(outcomesOf(yield* offered(final, morningAfter + 86_400_000)), ["Known"])
        assert.deepStrictEqual(outcomesOf(yield* offered(final.replaceAll("\n", "\r\r\n"))), ["Known"])
        assert.deepStrictEqual(outcomesOf(yield* ingest(final, "another archive")), ["Known"])
        assert.deepStrictEqual(yield* stored, before)
      }),
    ),
  )

  it.effect("appends a correction and a late preliminary report", () =>
    inMemory(
      Effect.gen(function* () {
        const corrected = "2025-10-30"
        for (const kind of ["final", "preliminary", "correction"] as const) {
          assert.deepStrictEqual(outcomesOf(yield* offered(textOf(newYork, corrected, kind))), ["Stored"], kind)
        }
        assert.deepStrictEqual(
          (yield* versions("KNYC", corrected)).map(({ report }) => [report.status, report.correction, report.highF]),
          [
            ["final", true, 54],
            ["final", false, 51],
            ["preliminary", false, 53],
          ],
        )
      }),
    ),
  )

  /** A text with one thing changed. */
  const edited = (text: string, from: string | RegExp, to: string): string => {
    const changed = text.replace(from, to)
    assert.notStrictEqual(changed, text, `the text has no ${from}`)
    return changed
  }

  /** The same text under another heading: day of the month, hour and minute of its issue. */
  const headed = (text: string, heading: string): string => edited(text, /\d{6}(?=\n)/, heading)

  const refusals: ReadonlyArray<readonly [name: string, text: string, outcomes: ReadonlyArray<string>, now?: number]> =
    [
      ["an empty text", " \n\n", []],
      [
        "another product",
        edited(final, "CDUS41", "SXUS41"),
        ["Refused: This is not a climate product: its WMO heading is SXUS41."],
      ],
      [
        "a text that is cut off",
        final.slice(0, final.indexOf("TEMPERATURE (F)")),
        ["Refused: The table has no TEMPERATURE block."],
      ],
      [
        "a garbled value",
        edited(final, /(MAXIMUM +)81/, "$18O"),
        ["Refused: The temperature under OBSERVED cannot be read."],
      ],
      [
        "a station that is not carried",
        edited(final, "CLINYC", "CLIZZZ"),
        ["Foreign: not one of the covered stations."],
      ],
      [
        "the other station of Houston's product",
        edited(textOf(houston, day, "final"), "HOUSTON/HOBBY AIRPORT", "HOUSTON INTERCONTINENTAL"),
        ["Foreign: not one of the covered stations."],
      ],
      [
        "a report from the future",
        final,
        ["Refused: it was issued in the future, at 2026-07-09T06:37:00.000Z."],
        Date.UTC(2026, 6, 9, 6, 26),
      ],
      [
        "a final report from before its day was over",
        headed(final, "090359"),
        ["Refused: it is marked final before the end of 2026-07-08."],
      ],
      [
        "a report from before its day",
        headed(textOf(newYork, day, "preliminary"), "080459"),
        ["Refused: it was issued before its climate day 2026-07-08 began."],
      ],
    ]
  for (const [name, text, outcomes, now] of refusals) {
    it.effect(`does not store ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          assert.deepStrictEqual(outcomesOf(yield* offered(text, now)), outcomes)
          assert.deepStrictEqual(yield* stored, [])
        }),
      ),
    )
  }

  const accepted: ReadonlyArray<readonly [name: string, text: string, now?: number]> = [
    ["a clock that is ten minutes slow", final, Date.UTC(2026, 6, 9, 6, 27)],
    ["daylight saving time: a final report in the hour before standard midnight", headed(final, "090400")],
    ["a report of the same day", textOf(newYork, day, "preliminary"), Date.UTC(2026, 6, 8, 23)],
    ["a correction of weeks later", textOf(newYork, "2025-10-30", "correction"), morningAfter],
  ]
  for (const [name, text, now] of accepted) {
    it.effect(`allows for ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          assert.deepStrictEqual(outcomesOf(yield* offered(text, now)), ["Stored"])
          assert.strictEqual((yield* stored).length, 1)
        }),
      ),
    )
  }

  it.effect("refuses other values under a product id that is stored", () =>
    inMemory(
      Effect.gen(function* () {
        yield* offered(final)
        const before = yield* stored
        const changed = edited(final, /(MAXIMUM +)81/, "$182")
        assert.deepStrictEqual(outcomesOf(yield* offered(changed)), [
          "Refused: this product id is stored with other values.",
        ])
        assert.deepStrictEqual(yield* stored, before)
      }),
    ),
  )

  it.effect("refuses a product of two stations whole when one of them cannot be read", () =>
    inMemory(
      Effect.gen(function* () {
        const one = textOf(houston, day, "final")
        const section = one.slice(one.indexOf("...THE HOUSTON"))
        const two = edited(section, "HOUSTON/HOBBY AIRPORT", "HOUSTON INTERCONTINENTAL")
        assert.deepStrictEqual(outcomesOf(yield* offered(one + edited(two, "MAXIMUM", "MAXIMAL"))), [
          "Refused: The TEMPERATURE block has an unknown line.",
        ])
        assert.deepStrictEqual(yield* stored, [])
        assert.deepStrictEqual(outcomesOf(yield* offered(one + two)), [
          "Stored",
          "Foreign: not one of the covered stations.",
        ])
        assert.strictEqual((yield* versions("KHOU", day)).length, 1)
      }),
    ),
  )

  it.effect("takes a collection product by product", () =>
    inMemory(
      Effect.gen(function* () {
        const texts = [
          final,
          edited(final, "TEMPERATURE (F)", "TEMPERATURE (C)"),
          textOf(houston, day, "final"),
          edited(final, "CLINYC", "CLIZZZ"),
          final,
        ]
        const collection = texts.map((text) => `\u0001${text}\u0003`).join("\n")
        assert.deepStrictEqual(outcomesOf(yield* offered(collection)), [
          "Stored",
          "Refused: The table has no TEMPERATURE block.",
          "Stored",
          "Foreign: not one of the covered stations.",
          "Known",
        ])
        assert.strictEqual((yield* stored).length, 2)
      }),
    ),
  )
})

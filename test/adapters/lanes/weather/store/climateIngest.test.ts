import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { printReport } from "../../../../../adapters/lanes/weather/mock/climateText.ts"
import { type Ingested, ingest } from "../../../../../core/lanes/weather/reports/ingest.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { day, inMemory, stored, versions } from "../../../../support/issuance.ts"

describe("ingest", () => {
  const newYork = byId.get("KNYC")!
  const houston = byId.get("KHOU")!
  const source = "test archive"
  const final = printReport(newYork, day, "final")
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
          assert.deepStrictEqual(outcomesOf(yield* offered(printReport(newYork, corrected, kind))), ["Stored"], kind)
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
        edited(printReport(houston, day, "final"), "HOBBY TX", "HOUSTON INTERCONTINENTAL"),
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
        headed(printReport(newYork, day, "preliminary"), "080459"),
        ["Refused: it was issued at 2026-07-08T04:59:00.000Z, before 2026-07-08T05:00:00.000Z."],
      ],
      [
        "a report with a headline of the year before, which would replace that year's value",
        edited(final, "JULY 8 2026", "JULY 8 2025"),
        ["Refused: it was issued 366 days late and is not marked as a correction."],
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
    ["a report of the same day", printReport(newYork, day, "preliminary"), Date.UTC(2026, 6, 8, 23)],
    ["a correction of weeks later", printReport(newYork, "2025-10-30", "correction"), morningAfter],
    ["a correction of a year later", edited(headed(final, "090626 CCA"), "JULY 8 2026", "JULY 8 2025"), morningAfter],
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

  it.effect("keeps a high that is published from a later report that lacks it and is marked as no correction", () =>
    inMemory(
      Effect.gen(function* () {
        const without = edited(final, /(MAXIMUM +)81 +[\d:]+ [AP]M/, "$1MM        ")
        yield* offered(final)
        assert.deepStrictEqual(outcomesOf(yield* offered(headed(without, "090700"))), [
          "Refused: it lacks a temperature that an earlier final report has, and is not marked as a correction.",
        ])
        assert.deepStrictEqual(
          (yield* versions("KNYC", day)).map(({ report }) => report.highF),
          [81],
        )
        assert.deepStrictEqual(outcomesOf(yield* offered(headed(without, "090710 CCA"))), ["Stored"])
        assert.isUndefined((yield* versions("KNYC", day))[0]!.report.highF)
      }),
    ),
  )

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
        const one = printReport(houston, day, "final")
        const section = one.slice(one.indexOf("...THE HOBBY"))
        const two = edited(section, "HOBBY TX", "HOUSTON INTERCONTINENTAL")
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
          printReport(houston, day, "final"),
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

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { mock } from "../../../../adapters/lanes/filings/mock/mod.ts"
import { filing as endpoint, Filings } from "../../../../core/lanes/filings/mod.ts"
import { day } from "../../../../core/time.ts"
import { clockAt } from "../../../support/clock.ts"

const now = Date.UTC(2026, 10, 21)
const lane = Filings.layer.pipe(Layer.provide(mock))
const filing = (accession_number: string, diff = true, at = now) =>
  Effect.flatMap(Filings, (filings) => filings.filing({ accession_number, diff })).pipe(
    Effect.provide(lane),
    Effect.withClock(clockAt(at)),
  )

describe("a filing", () => {
  it.effect("is the same on every run, in its final shape", () =>
    Effect.gen(function* () {
      const { results } = yield* filing("0009999999-26-000042")
      const validate = Schema.validateSync(Schema.encodedSchema(endpoint.results), {
        onExcessProperty: "error",
      })
      validate(results)
      assert.deepStrictEqual((yield* filing("0009999999-26-000042")).results, results)
      assert.strictEqual(results.filing.form_type, "10-K")
      assert.include(results.filing.company, "fictitious")
      assert.strictEqual(results.filing.period_of_report, "2025-12-31")
      assert.strictEqual(results.diff?.prior_accession_number, "0009999999-25-000042")
    }),
  )

  it.effect("has no diff when none is wanted", () =>
    Effect.map(filing("0009999999-26-000042", false), ({ results }) => assert.isFalse("diff" in results)),
  )

  it.effect("is compared with the filing before it, which answers by itself", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 40 }, (_, at) => `00012345${String(at).padStart(2, "0")}-24-0000${at + 10}`)
      const seen = { added: 0, removed: 0, changed: 0 }
      for (const number of numbers) {
        const { results } = yield* filing(number)
        const prior = (yield* filing(results.diff!.prior_accession_number)).results
        const [before, after] = [prior.sections, results.sections].map(
          (sections) => new Map(sections.map((section) => [section.item, section])),
        ) as [Map<string, (typeof results.sections)[number]>, Map<string, (typeof results.sections)[number]>]
        const { added, removed, changed } = results.diff!
        assert.strictEqual(prior.filing.form_type, results.filing.form_type)
        assert.deepStrictEqual(
          added,
          [...after.keys()].filter((item) => !before.has(item)),
        )
        assert.deepStrictEqual(
          removed,
          [...before.keys()].filter((item) => !after.has(item)),
        )
        for (const change of changed) {
          assert.strictEqual(change.before, before.get(change.item)!.summary)
          assert.strictEqual(change.after, after.get(change.item)!.summary)
        }
        seen.added += added.length
        seen.removed += removed.length
        seen.changed += changed.length
      }
      assert.isTrue(
        Object.values(seen).every((times) => times > 0),
        JSON.stringify(seen),
      )
    }),
  )

  it("has dates like those of real ones, and other texts where it says that something changed", () => {
    const days = (from: string, to: string) => (Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / day
    fc.assert(
      fc.property(fc.nat(9_999_999_999), fc.integer({ min: 95, max: 125 }), fc.nat(999_999), (cik, year, sequence) => {
        const parts = [
          String(cik).padStart(10, "0"),
          String(year % 100).padStart(2, "0"),
          String(sequence).padStart(6, "0"),
        ]
        const { results } = Effect.runSync(filing(parts.join("-")))
        const { form_type, filed_at, period_of_report } = results.filing
        const prior = Effect.runSync(filing(results.diff!.prior_accession_number)).results.filing
        assert.include([1, 2, 3, 4, 5], new Date(filed_at).getUTCDay())
        const [least, most, between] =
          form_type === "10-K" ? [53, 64, [365, 366]] : [20, 45, [90, 91, 92, 181, 182, 183]]
        const delay = days(period_of_report, filed_at)
        assert.isTrue(delay >= least && delay <= most, `${form_type} after ${delay} days`)
        assert.include(between, days(prior.period_of_report, period_of_report))
        // Only the first quarter's report has no quarterly report right before it.
        if (days(prior.period_of_report, period_of_report) > 100) {
          assert.include(["03-31", "12-31"], period_of_report.slice(5))
        }
        assert.isBelow(Date.parse(prior.filed_at), Date.parse(filed_at))
        for (const { before, after } of results.diff!.changed) assert.notStrictEqual(before, after)
      }),
      { numRuns: 300 },
    )
  })

  for (const [number, why] of [
    ["0009999999-26-000043", "a quarter that is not over yet"],
    ["0009999999-27-000042", "a year to come"],
    ["0009999999-92-000042", "a year to come by two digits"],
  ] as const) {
    it.effect(`is not found: ${why}`, () =>
      Effect.map(Effect.flip(filing(number, true, Date.UTC(2026, 2, 15))), ({ code, hints }) =>
        assert.deepStrictEqual([code, hints?.[0]?.field], ["not_found", "accession_number"]),
      ),
    )
  }

  it("answers every number of the past", () => {
    fc.assert(
      fc.property(fc.nat(9_999_999_999), fc.integer({ min: 94, max: 125 }), fc.nat(999_999), (cik, year, sequence) => {
        const number = [
          String(cik).padStart(10, "0"),
          String(year % 100).padStart(2, "0"),
          String(sequence).padStart(6, "0"),
        ]
        const { results } = Effect.runSync(filing(number.join("-")))
        return (
          results.sections.length > 0 &&
          Date.parse(results.filing.filed_at) > Date.parse(results.filing.period_of_report)
        )
      }),
      { numRuns: 300 },
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { printReport } from "../../../../../adapters/lanes/weather/mock/climateText.ts"
import { drawIssuance } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { readFromText } from "../../../../../core/lanes/weather/reports/backfill.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"

const station = byId.get("KNYC")!
const day = "2026-07-07"
const issuance = drawIssuance(station, day, "final")
const text = printReport(station, day, "final")
const changed = (changes: Partial<typeof issuance.report>) => ({
  ...issuance,
  report: { ...issuance.report, ...changes },
})

describe("the text of an archived row", () => {
  it("is the row's report where both have the same values", () => {
    const read = Either.getOrThrow(readFromText(text, issuance))
    assert.deepStrictEqual(
      [read.productId, read.report.day, read.report.highF],
      [issuance.productId, day, issuance.report.highF],
    )
  })
  for (const [what, row] of [
    ["another high", changed({ highF: issuance.report.highF! + 1 })],
    ["another low", changed({ lowF: issuance.report.lowF! - 1 })],
    ["other precipitation", changed({ precipIn: 9 })],
    ["another day", changed({ day: "2026-07-06" })],
    ["another product", { ...issuance, productId: "202607080930-KOKX-CDUS41-CLINYC" }],
    ["another station", { ...issuance, station: "KBOS" }],
  ] as const) {
    it(`contradicts a row with ${what}`, () => {
      assert.strictEqual(Either.flip(readFromText(text, row)).pipe(Either.getOrThrow), "its text contradicts its row.")
    })
  }
  it("that is no report says why", () => {
    assert.match(Either.flip(readFromText("<html>", issuance)).pipe(Either.getOrThrow), /^its text was rejected: /)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { ArchivedDay } from "../../../../../core/lanes/weather/ports.ts"
import { readArchivedRow } from "../../../../../core/lanes/weather/reports/archivedDay.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"

const newYork = byId.get("KNYC")!

const row = (changes: Partial<ArchivedDay> = {}): ArchivedDay => ({
  day: "2026-07-08",
  productId: "202607090626-KOKX-CDUS41-CLINYC",
  name: "NEW YORK CITY",
  high: 85,
  highTime: "347 PM",
  low: 64,
  lowTime: "440 AM",
  precip: 0.12,
  snow: 0,
  text: "{}",
  ...changes,
})

describe("a row of an archive", () => {
  it("is the report of its product, verbatim", () => {
    assert.deepStrictEqual(
      readArchivedRow(row(), newYork, "archive"),
      Either.right({
        issuance: {
          station: "KNYC",
          productId: "202607090626-KOKX-CDUS41-CLINYC",
          issuedAt: Date.UTC(2026, 6, 9, 6, 26),
          source: "archive",
          report: {
            station: "NEW YORK CITY",
            day: "2026-07-08",
            status: "final",
            correction: false,
            highF: 85,
            lowF: 64,
            highTimeLocal: "347 PM",
            lowTimeLocal: "440 AM",
            precipIn: 0.12,
            snowIn: 0,
            flags: [],
          },
        },
        isStatusUnclear: false,
      }),
    )
  })

  const at = (stamp: string, amendment = ""): Partial<ArchivedDay> => ({
    productId: `${stamp}-KOKX-CDUS41-CLINYC${amendment}`,
  })
  const read: ReadonlyArray<
    readonly [name: string, changes: Partial<ArchivedDay>, report: Readonly<Record<string, unknown>>]
  > = [
    [
      "a missing high without the time of one",
      { high: "M" },
      { highF: undefined, highTimeLocal: undefined, flags: ["high_missing"] },
    ],
    [
      "a missing low",
      { low: null, lowTime: null },
      { lowF: undefined, lowTimeLocal: undefined, flags: ["low_missing"] },
    ],
    ["a trace of rain", { precip: "T" }, { precipIn: 0, flags: ["precip_trace"] }],
    ["a trace of rain as a number", { precip: 0.0001 }, { precipIn: 0, flags: ["precip_trace"] }],
    ["a trace of snow", { snow: "T" }, { snowIn: 0, flags: ["snow_trace"] }],
    ["missing rain", { precip: "M" }, { precipIn: undefined, flags: ["precip_missing"] }],
    ["missing snow, which may be no block at all", { snow: "M" }, { snowIn: undefined, flags: [] }],
    ["no times", { highTime: null, lowTime: " M " }, { highTimeLocal: undefined, lowTimeLocal: undefined }],
    ["a time with a colon", { highTime: "3:47  PM" }, { highTimeLocal: "3:47 PM" }],
    ["a low below zero", { low: -21 }, { lowF: -21 }],
    ["a high that is the low", { high: 64 }, { highF: 64 }],
    ["the most rain", { precip: 50 }, { precipIn: 50 }],
    ["a correction", at("202607091240", "-CCA"), { correction: true, status: "final", flags: ["correction"] }],
    ["a delayed report, which is no correction", at("202607091240", "-RRA"), { correction: false, flags: [] }],
    ["a correction of weeks later", at("202607281240", "-CCB"), { status: "final", flags: ["correction"] }],
    ["a report of the afternoon", at("202607082030"), { status: "preliminary", flags: ["preliminary"] }],
    // The climate day ends at 05:00 UTC, at one in the night by the office's clock.
    ["the first minute after the day", at("202607090500"), { status: "final" }],
    ["the last minute before the last hour", at("202607090359"), { status: "preliminary" }],
  ]
  for (const [name, changes, expected] of read) {
    it(`is read with ${name}`, () => {
      const { issuance, isStatusUnclear } = Either.getOrThrow(readArchivedRow(row(changes), newYork, "archive"))
      const report = issuance.report as unknown as Readonly<Record<string, unknown>>
      assert.deepStrictEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, report[key]])), expected)
      for (const value of Object.values(report)) assert.isTrue(value !== undefined && value !== null)
      assert.isFalse(isStatusUnclear)
    })
  }

  it("is unclear when it was issued in the last hour of its day, when daylight time is a day ahead", () => {
    for (const stamp of ["202607090400", "202607090459"]) {
      const { issuance, isStatusUnclear } = Either.getOrThrow(readArchivedRow(row(at(stamp)), newYork, "archive"))
      assert.deepStrictEqual([issuance.report.status, isStatusUnclear], ["preliminary", true], stamp)
    }
  })

  const refused: ReadonlyArray<readonly [name: string, changes: Partial<ArchivedDay>, reason: RegExp]> = [
    ["without a product", { productId: null }, /^it has no valid product id\.$/],
    ["with an id of another form", { productId: "CLINYC" }, /has no valid product id/],
    ["with an id that is a path", { productId: "../../etc/passwd" }, /has no valid product id/],
    ["with a time that does not exist", at("202613410626"), /has no valid product id/],
    ["of another station's product", { productId: "202607090626-KOKX-CDUS41-CLILGA" }, /is CLILGA, not CLINYC/],
    ["with a high in words", { high: "hot" }, /^the high "hot" is not a whole degree\.$/],
    ["with half degrees", { low: 64.5 }, /^the low 64\.5 is not a whole degree\.$/],
    ["with a high beyond all", { high: 141 }, /high 141 is outside -80 to 140/],
    ["with a low beyond all", { low: -81 }, /low -81 is outside -80 to 140/],
    ["with a high below the low", { high: 63 }, /high is below its low/],
    ["with less than no rain", { precip: -0.01 }, /precipitation -0\.01 is outside 0 to 50/],
    ["with a flood", { precip: 50.01 }, /precipitation 50\.01 is outside 0 to 50/],
    ["with rain in words", { precip: "0.12" }, /precipitation "0\.12" is not an amount/],
    ["with snow beyond all", { snow: 100.1 }, /snowfall 100\.1 is outside 0 to 100/],
    ["with a time of a 24-hour clock", { highTime: "1547" }, /time of the high, "1547", is not a 12-hour time/],
    ["with an impossible time", { lowTime: "1360 AM" }, /time of the low, "1360 AM", is not a 12-hour time/],
  ]
  for (const [name, changes, reason] of refused) {
    it(`is refused ${name}`, () => {
      const judged = readArchivedRow(row(changes), newYork, "archive")
      assert.match(Either.isLeft(judged) ? judged.left : "read", reason)
    })
  }
})

import { assert, describe, it } from "@effect/vitest"
import { reports, venue } from "../../../../adapters/lanes/weather/difference.ts"
import type { Versions } from "../../../../core/lanes/weather/ports.ts"
import type { ClimateReport } from "../../../../core/lanes/weather/reports/ClimateReport.ts"

const hour = 3_600_000

/** A day with one report; real and generated values never agree, so they differ here throughout. */
let high = 0
const versions = (day: string, issuedAt = 0, report: Partial<ClimateReport> = {}): Versions => [
  {
    station: "KNYC",
    productId: `${day}-${issuedAt}-${++high}`,
    issuedAt,
    source: `source ${high}`,
    report: { station: "X", day, status: "final", correction: false, highF: high, flags: [], ...report },
  },
]
const preliminary: Partial<ClimateReport> = { status: "preliminary" }
const correction: Partial<ClimateReport> = { correction: true }

const cases: ReadonlyArray<
  readonly [name: string, method: string, mock: unknown, live: unknown, difference: string | undefined]
> = [
  ["other values of the same day", "versions", versions("2026-07-08"), versions("2026-07-08"), undefined],
  ["no report in either world", "versions", [], [], undefined],
  ["a report that live lacks", "versions", versions("2026-07-08"), [], "only mock has a report of the day"],
  ["a report that mock lacks", "versions", [], versions("2026-07-08"), "only live has a report of the day"],
  [
    "another status",
    "versions",
    versions("2026-07-08"),
    versions("2026-07-08", 0, preliminary),
    "mock: final; live: preliminary",
  ],
  ["twelve hours", "versions", versions("2026-07-08"), versions("2026-07-08", 12 * hour), undefined],
  [
    "a day's delay",
    "versions",
    versions("2026-07-08"),
    versions("2026-07-08", 25 * hour),
    "the live report was issued 25 hours later",
  ],
  [
    "a report that is early",
    "versions",
    versions("2026-07-08", 13 * hour),
    versions("2026-07-08"),
    "the live report was issued 13 hours earlier",
  ],
  [
    "a correction of weeks later",
    "versions",
    versions("2026-07-08"),
    versions("2026-07-08", 500 * hour, correction),
    undefined,
  ],
  ["the same latest day", "latestFinalDay", "2026-07-08", "2026-07-08", undefined],
  ["a day about midnight", "latestFinalDay", "2026-07-08", "2026-07-07", undefined],
  ["a store that stopped", "latestFinalDay", "2026-07-08", "2026-07-05", "live is 3 days behind"],
  ["a store ahead", "latestFinalDay", "2026-07-05", "2026-07-08", "live is 3 days ahead"],
  ["an empty store", "latestFinalDay", "2026-07-08", undefined, "only mock has a report"],
  ["two empty worlds", "latestFinalDay", undefined, undefined, undefined],
  [
    "another beginning",
    "coverage",
    { first: "2001-01-01", last: "2026-07-08" },
    { first: "2005-01-01", last: "2026-07-08" },
    undefined,
  ],
  [
    "another end",
    "coverage",
    { first: "2001-01-01", last: "2026-07-08" },
    { first: "2001-01-01", last: "2026-07-01" },
    "live is 7 days behind",
  ],
  ["no coverage", "coverage", { first: "2001-01-01", last: "2026-07-08" }, undefined, "only mock has a report"],
  [
    "the same days, the newest not yet",
    "range",
    [versions("2026-07-06"), versions("2026-07-07"), versions("2026-07-08")],
    [versions("2026-07-06"), versions("2026-07-07")],
    undefined,
  ],
  [
    "days that live lacks",
    "range",
    [versions("2026-07-05"), versions("2026-07-06"), versions("2026-07-07"), versions("2026-07-08", 0, preliminary)],
    [versions("2026-07-05", 0, preliminary), versions("2026-07-07")],
    "live lacks 2 of 2 days, 2026-07-05 first",
  ],
  [
    "nothing at all",
    "range",
    [versions("2026-07-05"), versions("2026-07-06")],
    [],
    "live lacks 1 of 1 day, 2026-07-05 first",
  ],
]

describe("real reports beside generated ones", () => {
  for (const [name, method, mock, live, difference] of cases) {
    it(`${name}: ${difference ?? "agree"}`, () => assert.strictEqual(reports.differs(mock, live, method), difference))
  }
})

describe("the venue's readings beside generated ones", () => {
  const issuedAt = Date.UTC(2026, 6, 9, 8)
  it.each([
    [
      "another time of issue",
      { issuedAt },
      { issuedAt: issuedAt + 13 * hour },
      "the live report was issued 13 hours later",
    ],
    ["about the same time", { issuedAt }, { issuedAt: issuedAt + 12 * hour }, undefined],
    ["a source that is off", { issuedAt }, undefined, undefined],
  ])("%s", (_, mock, live, difference) => assert.strictEqual(venue.differs(mock, live, "firstOfficial"), difference))
})

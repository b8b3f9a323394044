import { assert, describe, it } from "@effect/vitest"
import { dueRange, expectedDays } from "../../../../../core/lanes/weather/reports/backfill.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"

const station = byId.get("KNYC")!
/** The report of 10 July is due eight hours after the day's end in New York's standard time. */
const due = Date.UTC(2026, 6, 11, 13)

describe("the days of a year whose reports are due", () => {
  it("end with the last overdue one, to the millisecond", () => {
    assert.deepStrictEqual(dueRange(station, 2026, due), ["2026-01-01", "2026-07-10"])
    assert.deepStrictEqual(dueRange(station, 2026, due - 1), ["2026-01-01", "2026-07-09"])
  })

  it("are a whole year of the past, from the archive's first one on", () => {
    assert.deepStrictEqual(dueRange(station, 2025, due), ["2025-01-01", "2025-12-31"])
    assert.deepStrictEqual(dueRange(station, 2001, due), ["2001-01-01", "2001-12-31"])
    assert.isUndefined(dueRange(station, 2000, due))
  })

  it("are none of a year that has not come, and one on its first day", () => {
    assert.isUndefined(dueRange(station, 2027, due))
    const first = Date.UTC(2026, 0, 2, 13)
    assert.deepStrictEqual(dueRange(station, 2026, first), ["2026-01-01", "2026-01-01"])
    assert.isUndefined(dueRange(station, 2026, first - 1))
  })
})

describe("the days whose report will not come any more", () => {
  it("end three days before the last overdue one", () => {
    const days = expectedDays(station, 2026, due)
    assert.deepStrictEqual([days[0], days.at(-1), days.length], ["2026-01-01", "2026-07-07", 188])
  })

  it("are all of a past year, but for the days that still lag at its end", () => {
    assert.lengthOf(expectedDays(station, 2025, due), 365)
    const january = Date.UTC(2026, 0, 3, 13)
    assert.strictEqual(expectedDays(station, 2025, january).at(-1), "2025-12-30")
    assert.deepStrictEqual(expectedDays(station, 2026, january), [])
    assert.deepStrictEqual(expectedDays(station, 2027, due), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import {
  catchRejection,
  isClock,
  parseHeading,
  parseIssueDay,
  readValidity,
  splitLines,
  splitSections,
  toIdStamp,
  toIssueTime,
} from "../../../../../core/lanes/weather/reports/climateHeading.ts"

const of = (...lines: ReadonlyArray<string>) => splitLines(lines.join("\n"))

const refusal = (read: () => unknown) => {
  const found = catchRejection(read)
  assert.isTrue(Either.isLeft(found), JSON.stringify(found))
  return Either.getOrThrow(Either.flip(found))
}

describe("the lines of a product", () => {
  it("have tabs expanded to every eighth column and no other control characters", () => {
    assert.deepStrictEqual(splitLines("A\tB\r\n12345678\tC\n\u0001  D ").padded, [
      "A       B",
      "12345678        C",
      "  D ",
    ])
    assert.deepStrictEqual(splitLines("  a  b \nc").bare, ["a  b", "c"])
  })
})

describe("a time of a 12-hour clock", () => {
  it("is from 1:00 to 12:59, with or without a colon and a leading zero", () => {
    for (const good of ["100", "1:00", "0714", "12:59", "1259", "959"]) assert.isTrue(isClock(good), good)
    for (const bad of ["000", "0:30", "1300", "13:00", "160", "1:60", "14", "12345", "1:5", "MM"]) {
      assert.isFalse(isClock(bad), bad)
    }
  })
})

describe("the heading of a product", () => {
  const awips = "CLINYC"

  it("is its first lines, after blank lines and a relay's sequence number", () => {
    const found = parseHeading(of("", "000", "CDUS41 KOKX  090626 CCA", "", awips))
    assert.deepStrictEqual(found, {
      heading: "CDUS41",
      office: "KOKX",
      dayHourMinute: "090626",
      amendment: "CCA",
      awipsId: awips,
      awipsAt: 4,
    })
    const plain = parseHeading(of("CDUS41 KOKX 090626", awips))
    assert.deepStrictEqual([plain.amendment, plain.awipsAt], [undefined, 1])
  })

  it("is refused with the line at fault", () => {
    for (const [lines, reason, at] of [
      [[""], "The product does not begin with a WMO heading.", 0],
      [["123456", "CDUS41 KOKX 090626", awips], "The product does not begin with a WMO heading.", 0],
      [["SXUS41 KOKX 090626", awips], "This is not a climate product: its WMO heading is SXUS41.", 0],
      [["CDUS41 KOKX 000626", awips], "The WMO heading has an impossible time.", 0],
      [["CDUS41 KOKX 320626", awips], "The WMO heading has an impossible time.", 0],
      [["CDUS41 KOKX 092400", awips], "The WMO heading has an impossible time.", 0],
      [["CDUS41 KOKX 090660", awips], "The WMO heading has an impossible time.", 0],
      [["CDUS41 KOKX 090626", "RERNYC"], "The line after the WMO heading is not a CLI AWIPS id.", 1],
      [["CDUS41 KOKX 090626"], "The line after the WMO heading is not a CLI AWIPS id.", 0],
    ] as const) {
      assert.deepStrictEqual(
        refusal(() => parseHeading(of(...lines))),
        { reason, at },
      )
    }
  })

  it("takes the ends of days and clocks", () => {
    for (const time of ["010000", "312359"]) {
      assert.strictEqual(parseHeading(of(`CDUS41 KOKX ${time}`, awips)).dayHourMinute, time)
    }
  })
})

describe("the office's issue line", () => {
  const dayOf = (...lines: ReadonlyArray<string>) => parseIssueDay(of(...lines), 0, lines.length)

  it("has the local day, by the month's name or its three letters", () => {
    for (const line of ["226 AM EDT THU JUL 09 2026", "2:26 PM EDT THU JULY 9 2026 /126 PM CDT/"]) {
      assert.strictEqual(dayOf("NATIONAL WEATHER SERVICE", line), "2026-07-09")
    }
  })

  it("has only days that exist, leap days of their years among them", () => {
    const at = (day: string) => dayOf(`226 AM EDT THU ${day}`)
    for (const good of ["FEB 29 2024", "FEB 29 2000", "FEB 28 2026", "APR 30 2026", "DEC 31 2026", "JAN 1 1800"]) {
      assert.isString(at(good), good)
    }
    for (const bad of [
      "FEB 29 2026",
      "FEB 29 1900",
      "APR 31 2026",
      "JUN 31 2026",
      "DEC 32 2026",
      "JAN 0 2026",
      "JLY 9 2026",
      "JAN 1 1799",
    ]) {
      assert.deepStrictEqual(
        refusal(() => at(bad)),
        { reason: "The issue line has a date that does not exist.", at: 0 },
      )
    }
  })

  it("is refused where it cannot be read, at the first line like it, and where there is none", () => {
    assert.deepStrictEqual(
      refusal(() => dayOf("X", "1326 AM EDT THU JUL 09 2026", "9")),
      {
        reason: "The issue line cannot be read.",
        at: 1,
      },
    )
    assert.deepStrictEqual(
      refusal(() => dayOf("X", "Y")),
      { reason: "There is no issue line before this.", at: 1 },
    )
    assert.strictEqual(refusal(() => parseIssueDay(of("X", "226 AM EDT THU JUL 09 2026"), 0, 1)).at, 1)
  })
})

describe("the instant of a heading", () => {
  const at = (time: string, year: number, month: number, day: number) =>
    new Date(toIssueTime(time, new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10))).toISOString()

  it("is in the month that puts its day closest to the printed one", () => {
    assert.strictEqual(at("090626", 2026, 7, 9), "2026-07-09T06:26:00.000Z")
    assert.strictEqual(at("010415", 2026, 6, 30), "2026-07-01T04:15:00.000Z")
    assert.strictEqual(at("310415", 2026, 1, 1), "2025-12-31T04:15:00.000Z")
    assert.strictEqual(at("010000", 2025, 12, 31), "2026-01-01T00:00:00.000Z")
  })

  it("is in the later month where both are as far, and in none that lacks the day", () => {
    assert.strictEqual(at("010000", 2026, 2, 15), "2026-03-01T00:00:00.000Z")
    assert.strictEqual(at("300000", 2026, 3, 1), "2026-03-30T00:00:00.000Z")
  })

  it("is stamped to the minute", () => {
    assert.strictEqual(toIdStamp(Date.UTC(2026, 6, 9, 6, 26, 59)), "202607090626")
  })
})

describe("a VALID line", () => {
  const found = (...lines: ReadonlyArray<string>) => readValidity(of(...lines), 0, lines.length)

  it("has its time, or none where it is in words", () => {
    assert.deepStrictEqual(found("X", "VALID TODAY AS OF 0400 PM LOCAL TIME."), { asOf: "0400 PM" })
    assert.deepStrictEqual(found("VALID AS OF 4:05 AM"), { asOf: "4:05 AM" })
    assert.deepStrictEqual(found("VALID AS OF NOON"), { asOf: undefined })
    assert.deepStrictEqual(found("X", "INVALID AS OF 0400 PM"), undefined)
  })

  it("is refused with a time that no clock has", () => {
    assert.deepStrictEqual(
      refusal(() => found("X", "VALID AS OF 1300 PM")),
      {
        reason: "The VALID line has an impossible time.",
        at: 1,
      },
    )
  })
})

describe("the sections of a product", () => {
  const headline = "...THE NEW YORK NY CLIMATE SUMMARY FOR JULY 8 2026..."
  const table = "WEATHER ITEM   OBSERVED"
  const found = (...lines: ReadonlyArray<string>) => splitSections(of(...lines), 0)

  it("are headlines with their tables, each to the end of its text or the next headline", () => {
    const sections = found(
      headline,
      table,
      "&&",
      "WEATHER OF OTHERS",
      "...THE ISLIP NY CLIMATE SUMMARY",
      "FROM JUL 8, 2026 CORRECTION...",
      table,
    )
    assert.deepStrictEqual(sections, [
      {
        headline: { station: "NEW YORK NY", day: "2026-07-08", correction: false, at: 0, end: 1 },
        table: 1,
        end: 2,
      },
      { headline: { station: "ISLIP NY", day: "2026-07-08", correction: true, at: 4, end: 6 }, table: 6, end: 7 },
    ])
  })

  it("begin with no dotted rule and with no other text in dots", () => {
    const sections = found(".........", "...MORNING CLIMATE DATA...", "", headline, table)
    assert.deepStrictEqual(
      sections.map(({ headline: { at } }) => at),
      [3],
    )
  })

  it("are refused with the line at fault", () => {
    for (const [lines, reason, at] of [
      [["X", ""], "There is no climate summary headline.", 0],
      [[headline, "X"], "No table with a WEATHER ITEM header follows the headline.", 0],
      [[headline, headline, table], "No table with a WEATHER ITEM header follows the headline.", 0],
      [[table], "The table has no climate summary headline of its own.", 0],
      [[headline, table, table], "The table has no climate summary headline of its own.", 2],
      [[headline, "&&", table], "The table has no climate summary headline of its own.", 2],
      [[headline, table, "$$", "CDUS41 KOKX 090626"], "A second product follows in the same text.", 3],
      [["...THE X CLIMATE SUMMARY FOR YESTERDAY..."], "The headline cannot be read.", 0],
      [["...AN X CLIMATE SUMMARY FOR JULY 8 2026..."], "The headline cannot be read.", 0],
      [["...THE X CLIMATE SUMMARY FOR JUNE 31 2026..."], "The headline has a date that does not exist.", 0],
      [[`...THE ${"X".repeat(81)} CLIMATE SUMMARY FOR JULY 8 2026...`], "The headline cannot be read.", 0],
    ] as const) {
      assert.deepStrictEqual(
        refusal(() => found(...lines)),
        { reason, at },
      )
    }
    assert.lengthOf(found(`...THE ${"X".repeat(80)} CLIMATE SUMMARY FOR JULY 8 2026...`, table), 1)
  })
})

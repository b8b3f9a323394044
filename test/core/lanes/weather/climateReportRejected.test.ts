import { assert, describe, it } from "@effect/vitest"
import { assertRefused, edited, grayfield, grayfieldLines, lineRange, section } from "../../../support/climateReport.ts"

describe("a rejected climate report", () => {
  const layout = "unknown column layout"
  const rows: ReadonlyArray<readonly [name: string, text: string, reason: string, line: number]> = [
    ["nothing", "", "does not begin with a WMO heading", 1],
    ["too long", `${grayfield}${" ".repeat(65_536)}`, "longer than 64 KiB", 1],
    [
      "a record event report",
      edited({ 2: "SXUS71 KZZZ 090626" }),
      "not a climate product: its WMO heading is SXUS71",
      2,
    ],
    ["no issue line", edited({ 7: null }), "no issue line before this", 10],
    ["an invalid issue date", edited({ 7: "226 AM EDT THU JUN 31 2026" }), "issue line has a date that does not", 7],
    ["no headline", edited({ 11: null }), "no climate summary headline of its own", 12],
    [
      "a headline without its name",
      edited({ 11: "...THE CLIMATE SUMMARY FOR JULY 8 2026..." }),
      "headline cannot be",
      11,
    ],
    [
      "a headline without THE",
      edited({ 11: "...GRAYFIELD CLIMATE SUMMARY FOR JULY 8 2026..." }),
      "headline cannot be",
      11,
    ],
    ["an open headline", edited({ 11: "...THE GRAYFIELD CLIMATE SUMMARY FOR JULY 8 2026" }), "headline cannot be", 11],
    [
      "a headline without a year",
      edited({ 11: "...THE GRAYFIELD CLIMATE SUMMARY FOR JULY 8..." }),
      "headline cannot be",
      11,
    ],
    [
      "February 30",
      edited({ 11: "...THE GRAYFIELD CLIMATE SUMMARY FOR FEBRUARY 30 2026..." }),
      "date that does not",
      11,
    ],
    [
      "February 29 of 2100",
      edited({ 11: "...THE GRAYFIELD CLIMATE SUMMARY FOR FEB 29 2100..." }),
      "date that does not",
      11,
    ],
    [
      "an unknown month",
      edited({ 11: "...THE GRAYFIELD CLIMATE SUMMARY FOR JULLY 8 2026..." }),
      "date that does not",
      11,
    ],
    ["nothing below the issue line", grayfieldLines.slice(0, 7).join("\n"), "no climate summary headline", 7],
    ["nothing below the headline", grayfieldLines.slice(0, 11).join("\n"), "No table with a WEATHER ITEM", 11],
    ["a mangled table header", edited({ 13: "WEATHER ITM   OBSERVED TIME" }), "No table with a WEATHER ITEM", 11],
    ["no OBSERVED column", edited({ 13: "WEATHER ITEM   OBSERVE  TIME   RECORD" }), "no OBSERVED column", 13],
    [
      "a VALID line at 75 minutes",
      edited({ 12: "VALID TODAY AS OF 0475 PM LOCAL TIME." }),
      "VALID line has an impossible",
      12,
    ],
    ["no TEMPERATURE block", edited(lineRange(17, 22)), "no TEMPERATURE block", 13],
    [
      "one space between words",
      edited({ 19: "MAXIMUM 85 347 PM 100 1993" }),
      `${layout}: a value left of OBSERVED`,
      19,
    ],
    [
      "a value under TIME",
      edited({ 19: "  MAXIMUM                85" }),
      `${layout}: the value under TIME is not a time`,
      19,
    ],
    [
      "a time of an amount",
      edited({ 25: "  YESTERDAY        0.12 347 PM" }),
      `${layout}: a time on the line of an amount`,
      25,
    ],
    ["60 minutes", edited({ 19: "  MAXIMUM         85    360 PM" }), "not a 12-hour time", 19],
    [
      "a letter for a figure",
      edited({ 19: "  MAXIMUM         8S    347 PM" }),
      "temperature under OBSERVED cannot be read",
      19,
    ],
    ["too hot", edited({ 19: "  MAXIMUM        141    347 PM" }), "outside -80 to 140", 19],
    ["high below low", edited({ 19: "  MAXIMUM         63    347 PM" }), "maximum is below the minimum", 19],
    ["two lines in one", edited({ 20: grayfieldLines[19] + grayfieldLines[20]!, 21: null }), "unknown line", 20],
    [
      "two items in one",
      edited({ 19: grayfieldLines[18] + grayfieldLines[20]!, 21: null }),
      `${layout}: a word among`,
      19,
    ],
    ["a mangled label", edited({ 21: "  MINUMUM         64    440 AM" }), "unknown line", 21],
    ["too much snow", edited({ 29: "  YESTERDAY      100.1" }), "outside 0 to 100 inches", 29],
    ["another unit", edited({ 24: "PRECIPITATION (MM)" }), "unit of PRECIPITATION is not inches", 25],
    ["the amount twice", edited({ 26: "  YESTERDAY        0.12" }), "PRECIPITATION block has YESTERDAY twice", 26],
    [
      "a station twice, different",
      edited({ 39: section.replace("   85 ", "   84 ") }),
      "twice, with different values",
      41,
    ],
    [
      "a table after &&",
      edited({ 39: `&&\n${grayfieldLines.slice(12, 32).join("\n")}` }),
      "no climate summary headline of",
      40,
    ],
    [
      "a second table",
      edited({ 33: grayfieldLines.slice(12, 32).join("\n") }),
      "no climate summary headline of its own",
      33,
    ],
    ["a heading below the AWIPS id", edited({ 4: grayfieldLines[1]! }), "second product", 4],
    ["a table below the AWIPS id", edited({ 4: grayfieldLines[12]! }), "no climate summary headline of its own", 4],
    ["two products", `${grayfield}\n${grayfield}`, "second product", grayfieldLines.length + 2],
    [
      "two products in envelopes",
      `\u0001${grayfield}\u0003\u0001${grayfield}\u0003`,
      "second product",
      grayfieldLines.length + 1,
    ],
  ]

  it.each(rows)("%s", (_, text, reason, line) => {
    const error = assertRefused(text, reason, line)
    if (text.length <= 65_536)
      assert.strictEqual(
        error?.text,
        text
          .split("\n")
          [line - 1]!.replace(/\p{Cc}/gu, "")
          .trim()
          .slice(0, 120),
      )
  })

  it("shows at most 120 characters of the line", () => {
    const error = assertRefused(edited({ 2: "A".repeat(500) }), "does not begin with a WMO heading", 2)
    assert.strictEqual(error?.text, "A".repeat(120))
  })
})

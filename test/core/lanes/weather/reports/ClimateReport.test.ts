import { assert, describe, it } from "@effect/vitest"
import { type ClimateReport, splitProducts } from "../../../../../core/lanes/weather/reports/ClimateReport.ts"
import {
  edited,
  grayfield,
  grayfieldLines,
  lineRange,
  plain,
  product,
  products,
  report,
  section,
} from "../../../../support/climateReport.ts"

describe("a climate report", () => {
  const one = (text: string): ClimateReport => {
    const { reports } = products(text)
    assert.strictEqual(reports.length, 1)
    return reports[0]!
  }

  it("is parsed in full", () =>
    assert.deepStrictEqual(
      plain,
      product(
        "202607090626-KZZZ-CDUS41-CLIXYZ",
        "2026-07-09",
        report("GRAYFIELD OH", "2026-07-08", [85, "347 PM"], [64, "440 AM"], { precip: 0.12, snow: 0.3 }, []),
      ),
    ))

  const without = <K extends keyof ClimateReport>(...keys: ReadonlyArray<K>): Partial<Record<K, undefined>> =>
    Object.fromEntries(keys.map((key) => [key, undefined])) as Partial<Record<K, undefined>>

  type Changed = { readonly [K in keyof ClimateReport]?: ClimateReport[K] | undefined }
  const preliminary: Changed = { status: "preliminary", flags: ["preliminary"] }
  const corrected: Changed = { correction: true, flags: ["correction"] }

  const rows: ReadonlyArray<readonly [name: string, changes: Record<number, string | null>, expected: Changed]> = [
    ["a headline over two lines", { 11: "...THE GRAYFIELD OH CLIMATE SUMMARY FOR\nJULY 8 2026..." }, {}],
    ["a headline over three lines", { 11: "...THE GRAYFIELD\nOH CLIMATE SUMMARY\nFOR JULY 8 2026..." }, {}],
    ["FROM, three letters, a padded day", { 11: "...THE GRAYFIELD OH CLIMATE SUMMARY FROM JUL 08 2026..." }, {}],
    [
      "a name with signs and spaces",
      { 11: "...THE ST. JOHN-ON-LAKE (GRAY/WHITE,  OLD; NEW) CLIMATE SUMMARY FOR JULY 8 2026..." },
      { station: "ST. JOHN-ON-LAKE (GRAY/WHITE, OLD; NEW)" },
    ],
    ["another headline before", { 8: "...MORNING CLIMATE DATA...\nGRAYFIELD   58   0.00" }, {}],
    [
      "a correction by headline",
      { 11: "...THE GRAYFIELD OH CLIMATE SUMMARY FOR JULY 8 2026 CORRECTION..." },
      corrected,
    ],
    ["a correction by title", { 5: "CLIMATE REPORT (CORRECTION)" }, corrected],
    ["a correction by amendment", { 2: "CDUS41 KZZZ 090626 CCB" }, corrected],
    ["a delay, which corrects nothing", { 2: "CDUS41 KZZZ 090626 RRA" }, {}],
    ["TODAY", { 18: " TODAY", 25: "  TODAY            0.12", 29: "  TODAY            0.3" }, preliminary],
    ["a VALID line", { 12: "VALID TODAY AS OF 0400 PM LOCAL TIME." }, { ...preliminary, validAsOf: "0400 PM" }],
    ["a VALID line without a clock", { 12: "VALID AS OF NOON LOCAL TIME." }, preliminary],
    ["an issue on the climate day", { 7: "1159 PM EDT WED JUL 08 2026" }, preliminary],
    ["an issue line with a second zone", { 7: "226 AM EDT THU JUL 9 2026 /126 AM CDT THU JUL 9 2026/" }, {}],
    ["degrees below zero", { 21: "  MINIMUM        -21R   440 AM" }, { lowF: -21, flags: ["low_record"] }],
    ["zero", { 21: "  MINIMUM          0    440 AM" }, { lowF: 0 }],
    ["E", { 19: "  MAXIMUM         85E   347 PM" }, { flags: ["high_estimated"] }],
    ["(E)", { 19: "  MAXIMUM         85(E) 347 PM" }, { flags: ["high_estimated"] }],
    ["R apart", { 19: "  MAXIMUM        100 R  347 PM" }, { highF: 100, flags: ["high_record"] }],
    [
      "MM",
      { 19: "  MAXIMUM         MM     MM  98" },
      { ...without("highF", "highTimeLocal"), flags: ["high_missing"] },
    ],
    [
      "M with a time",
      { 21: "  MINIMUM          M    440 AM" },
      { ...without("lowF", "lowTimeLocal"), flags: ["low_missing"] },
    ],
    ["no MAXIMUM line", { 19: null, 20: null }, { ...without("highF", "highTimeLocal"), flags: ["high_missing"] }],
    [
      "a MINIMUM line without anything",
      { 21: "  MINIMUM" },
      { ...without("lowF", "lowTimeLocal"), flags: ["low_missing"] },
    ],
    [
      "times with a colon, padded",
      { 19: "  MAXIMUM        100  12:07 AM", 21: "  MINIMUM         64   0440 AM" },
      {
        highF: 100,
        highTimeLocal: "12:07 AM",
        lowTimeLocal: "0440 AM",
      },
    ],
    ["no time", { 19: "  MAXIMUM         85           100    1993" }, without("highTimeLocal")],
    ["blank records and normals", { 19: "  MAXIMUM         85    347 PM                      2" }, {}],
    [
      "no TIME column",
      {
        13: "WEATHER ITEM   OBSERVED RECORD YEAR NORMAL",
        19: "  MAXIMUM         85    100    1993  83",
        20: "                               1994",
        21: "  MINIMUM         64     51    1894  62",
        25: "  YESTERDAY        0.12   2.27 2021   0.13",
        29: "  YESTERDAY        0.3    0.5  2001   0.0",
      },
      without("highTimeLocal", "lowTimeLocal"),
    ],
    [
      "OBSERVED alone",
      {
        13: "WEATHER ITEM   OBSERVED",
        19: "  MAXIMUM         85",
        20: null,
        21: "  MINIMUM         64",
        25: "  YESTERDAY        0.12",
        29: "  YESTERDAY        0.3",
      },
      {
        ...without("highTimeLocal", "lowTimeLocal"),
      },
    ],
    ["tabs for columns", { 19: "  MAXIMUM\t  85\t347 PM", 29: "  YESTERDAY\t   1.5" }, { snowIn: 1.5 }],
    ["TEMPERATURE without a unit", { 17: "TEMPERATURE" }, {}],
    ["TEMPERATURE(F)", { 17: "TEMPERATURE(F)" }, {}],
    ["a unit on the next line", { 24: "PRECIPITATION\n(INCHES)", 28: "SNOWFALL      (INCHES)" }, {}],
    [
      "traces",
      { 25: "  YESTERDAY        T", 29: "  YESTERDAY        T             0.5" },
      {
        precipIn: 0,
        snowIn: 0,
        flags: ["precip_trace", "snow_trace"],
      },
    ],
    [
      "amounts with marks",
      { 25: "  YESTERDAY        0.00*", 29: "  YESTERDAY       12.0 R         0.5  1951" },
      {
        precipIn: 0,
        snowIn: 12,
        flags: ["precip_annotated", "snow_record"],
      },
    ],
    [
      "missing amounts",
      { 25: "  YESTERDAY       MM", 29: "  YESTERDAY                     0.5  2001" },
      {
        ...without("precipIn", "snowIn"),
        flags: ["precip_missing", "snow_missing"],
      },
    ],
    [
      "an amount of another day",
      { 25: "  TODAY            0.12" },
      { ...without("precipIn"), flags: ["precip_missing"] },
    ],
    ["no snowfall block", lineRange(28, 30), without("snowIn")],
    ["no precipitation block", lineRange(24, 27), without("precipIn")],
    [
      "the depth of snow alone",
      { 29: null, 30: "  SNOW DEPTH       4" },
      { ...without("snowIn"), flags: ["snow_missing"] },
    ],
    [
      "a second table of temperatures",
      { 32: "...................\nTEMPERATURE (F)\n YESTERDAY\n  MAXIMUM         99" },
      {},
    ],
    ["blank lines between all", Object.fromEntries(grayfieldLines.map((line, at) => [at + 1, `${line}\n`])), {}],
  ]

  it.each(rows)("%s", (_, changes, expected) => {
    const wanted = Object.entries({ ...plain.reports[0]!, ...expected }).filter(([, value]) => value !== undefined)
    assert.deepStrictEqual(one(edited(changes)), Object.fromEntries(wanted) as unknown as ClimateReport)
  })

  it("is extracted from its transmission envelope, also one of several", () => {
    const other = edited({ 3: "CLIABC", 19: "  MAXIMUM         77    347 PM" })
    const relayed = [grayfield, other].map(
      (text) => `\u0001\r\r\n943 \r\r\n${text.replaceAll("\n", "\r\r\n")}\r\r\n\u0003`,
    )
    const pieces = splitProducts(`${relayed.join("\r\r\n")}\r\r\n`)
    assert.deepStrictEqual(
      pieces.map((piece) => [products(piece).awipsId, products(piece).reports[0]?.highF]),
      [
        ["CLIXYZ", 85],
        ["CLIABC", 77],
      ],
    )
    assert.deepStrictEqual(splitProducts(grayfield), [grayfield])
    assert.deepStrictEqual(splitProducts(" \n\u0001\u0003\n"), [])
  })

  it("may contain several stations, one of them twice", () => {
    const lakeside = section.replace("GRAYFIELD OH", "LAKESIDE").replace("   85 ", "   79 ")
    const { reports } = products(edited({ 41: `&&\n${lakeside}\n&&\n${section}\n$$\nTHE END` }))
    assert.deepStrictEqual(
      reports.map((each) => [each.station, each.highF]),
      [
        ["GRAYFIELD OH", 85],
        ["LAKESIDE", 79],
      ],
    )
    assert.deepStrictEqual(products(edited({ 31: `\n${lakeside}` })).reports, reports, "split by headlines alone")
  })
})

describe("the time of a product", () => {
  it.each([
    ["090626", "226 AM EDT THU JUL 09 2026", "202607090626", "2026-07-09"],
    ["010459", "1159 PM EST WED DEC 31 2025", "202601010459", "2025-12-31"],
    ["311400", "100 AM ChST FRI JAN 1 2027", "202612311400", "2027-01-01"],
    ["010300", "900 PM CST SAT FEB 29 2020", "202003010300", "2020-02-29"],
    ["220440", "500 PM SST MON DEC 28 2020", "202012220440", "2020-12-28"],
    ["100100", "900 PM EDT THU JUN 25 2026", "202607100100", "2026-06-25"],
    ["312300", "600 PM EST SAT FEB 28 2026", "202601312300", "2026-02-28"],
  ])("%s with %s is %s", (dayHourMinute, issueLine, stamp, issuedLocalDay) => {
    const parsed = products(edited({ 2: `CDUS41 KZZZ ${dayHourMinute}`, 7: issueLine }))
    assert.deepStrictEqual([parsed.productId.slice(0, 12), parsed.issuedLocalDay], [stamp, issuedLocalDay])
  })
})

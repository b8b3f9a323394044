import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import {
  type ClimateProduct,
  type ClimateReport,
  ClimateReportError,
  parse,
  type QualityFlag,
  splitProducts,
} from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { describeRealData } from "../../../support/realData.ts"

/** Degrees and the printed time of day; undefined for a missing value. */
type Extreme = readonly [degrees: number, time?: string] | undefined
type Amounts = { readonly precip?: number; readonly snow?: number }

const report = (
  station: string,
  day: string,
  high: Extreme,
  low: Extreme,
  { precip, snow }: Amounts,
  flags: ReadonlyArray<QualityFlag>,
  validAsOf?: string,
): ClimateReport => ({
  station,
  day,
  status: flags.includes("preliminary") ? "preliminary" : "final",
  ...(validAsOf === undefined ? {} : { validAsOf }),
  correction: flags.includes("correction"),
  ...(high === undefined ? {} : { highF: high[0] }),
  ...(low === undefined ? {} : { lowF: low[0] }),
  ...(high?.[1] === undefined ? {} : { highTimeLocal: high[1] }),
  ...(low?.[1] === undefined ? {} : { lowTimeLocal: low[1] }),
  ...(precip === undefined ? {} : { precipIn: precip }),
  ...(snow === undefined ? {} : { snowIn: snow }),
  flags,
})

/** What a product id stands for: the rest of a product's identity follows from it. */
const product = (
  productId: string,
  issuedLocalDay: string,
  ...reports: ReadonlyArray<ClimateReport>
): ClimateProduct => {
  const [stamp = "", office = "", heading = "", awipsId = "", amendment] = productId.split("-")
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(stamp)!.map(Number)
  return {
    productId,
    issuedAt: Date.UTC(year!, month! - 1, day, hour, minute),
    issuedLocalDay,
    office,
    heading,
    awipsId,
    ...(amendment === undefined ? {} : { amendment }),
    reports,
  }
}

/** Read by eye from the texts. */
const recorded: Record<string, ClimateProduct | readonly [reason: string, line: number]> = {
  "2026-07_aus_final.txt": product(
    "202607090658-KEWX-CDUS44-CLIAUS",
    "2026-07-09",
    report("AUSTIN BERGSTROM", "2026-07-08", [99, "3:38 PM"], [74, "5:03 AM"], { precip: 0, snow: 0 }, []),
  ),
  "2026-07_aus_intermediate.txt": product(
    "202607092147-KEWX-CDUS44-CLIAUS",
    "2026-07-09",
    report(
      "AUSTIN BERGSTROM",
      "2026-07-09",
      [98, "2:44 PM"],
      [73, "6:08 AM"],
      { precip: 0 },
      ["preliminary"],
      "0400 PM",
    ),
  ),
  "2026-07_chi_final.txt": product(
    "202607090634-KLOT-CDUS43-CLIMDW",
    "2026-07-09",
    report("CHICAGO-MIDWAY", "2026-07-08", [89, "2:56 PM"], [67, "4:31 AM"], { precip: 0 }, []),
  ),
  "2026-07_chi_intermediate.txt": product(
    "202607092134-KLOT-CDUS43-CLIMDW",
    "2026-07-09",
    report("CHICAGO-MIDWAY", "2026-07-09", [87, "2:34 PM"], [74, "5:36 AM"], { precip: 0 }, ["preliminary"], "0400 PM"),
  ),
  "2026-07_nyc_final.txt": product(
    "202607090626-KOKX-CDUS41-CLINYC",
    "2026-07-09",
    report("CENTRAL PARK NY", "2026-07-08", [85, "347 PM"], [64, "440 AM"], { precip: 0, snow: 0 }, []),
  ),
  "2026-07_nyc_intermediate.txt": product(
    "202607092035-KOKX-CDUS41-CLINYC",
    "2026-07-09",
    report(
      "CENTRAL PARK NY",
      "2026-07-09",
      [82, "1050 AM"],
      [71, "534 AM"],
      { precip: 0, snow: 0 },
      ["precip_trace", "preliminary"],
      "0400 PM",
    ),
  ),
  "2026-07_phl_final.txt": product(
    "202607090552-KPHI-CDUS41-CLIPHL",
    "2026-07-09",
    report("PHILADELPHIA PA", "2026-07-08", [86, "4:24 PM"], [70, "6:34 AM"], { precip: 0, snow: 0 }, []),
  ),
  "2026-07_phl_intermediate.txt": product(
    "202607092139-KPHI-CDUS41-CLIPHL",
    "2026-07-09",
    report(
      "PHILADELPHIA PA",
      "2026-07-09",
      [81, "8:58 AM"],
      [72, "4:35 AM"],
      { precip: 2.41, snow: 0 },
      ["precip_record", "preliminary"],
      "0500 PM",
    ),
  ),
  "CLIABY.txt": product(
    "201409300632-KTAE-CDUS42-CLIABY",
    "2014-09-30",
    report("ALBANY", "2014-09-29", [79, "418 PM"], [72, "1041 AM"], {}, ["precip_missing"]),
  ),
  "CLIACT.txt": product(
    "201412152225-KFWD-CDUS44-CLIACT",
    "2014-12-15",
    report("WACO", "2014-12-15", [69, "328 PM"], [52, "804 AM"], { precip: 0.02, snow: 0 }, ["preliminary"], "0400 PM"),
  ),
  "CLIANN.txt": product(
    "201503030905-PANT-CDAK47-CLIANN",
    "2015-03-03",
    report("ANNETTE WSO AP", "2015-03-02", [53, "0151 PM"], [33, "1149 PM"], { precip: 0, snow: 0 }, ["high_record"]),
  ),
  "CLIBET.txt": product(
    "201401021251-PABE-CDAK48-CLIBET",
    "2014-01-02",
    report("BETHEL AP", "2014-01-01", [17, "1159 PM"], [11, "0922 AM"], { precip: 0.03, snow: 0.2 }, []),
  ),
  "CLIBGR.txt": product(
    "201411030527-KCAR-CDUS41-CLIBGR",
    "2014-11-03",
    report("BANGOR ME", "2014-11-02", [35, "324 AM"], [31, "815 PM"], { precip: 0.59, snow: 12 }, ["snow_record"]),
  ),
  "CLIBNA.txt": product(
    "201510191422-KOHX-CDUS44-CLIBNA",
    "2015-10-19",
    report("NASHVILLE", "2015-10-19", [47], [34], { precip: 0 }, ["preliminary"], "0900 AM"),
  ),
  "CLICVG.txt": product(
    "202004230547-KILN-CDUS41-CLICVG",
    "2020-04-23",
    report("CINCINNATI OH", "2020-04-22", [69, "357 PM"], [35, "511 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLICVG_2007.txt": product(
    "200707010557-KILN-CDUS41-CLICVG",
    "2007-07-01",
    report("CINCINNATI", "2007-06-30", [82, "403 PM"], [67, "727 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLICVG_colon.txt": product(
    "202102050534-KILN-CDUS41-CLICVG",
    "2021-02-05",
    report("CINCINNATI OH", "2021-02-04", [39, "11:29 PM"], [22, "12:43 AM"], { precip: 0.14, snow: 0 }, [
      "snow_trace",
    ]),
  ),
  "CLICVG_newer.txt": product(
    "202004230550-KILN-CDUS41-CLICVG",
    "2020-04-23",
    report("CINCINNATI OH", "2020-04-22", [70, "357 PM"], [35, "511 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLICVG_older.txt": product(
    "202004230546-KILN-CDUS41-CLICVG",
    "2020-04-23",
    report("CINCINNATI OH", "2020-04-22", [68, "357 PM"], [35, "511 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLICVG_tab.txt": product(
    "201305100541-KILN-CDUS41-CLICVG",
    "2013-05-10",
    report("CINCINNATI OH", "2013-05-09", [81, "202 PM"], [57, "523 AM"], { precip: 0, snow: 0 }, ["precip_trace"]),
  ),
  "CLIDCA.txt": product(
    "202606290640-KLWX-CDUS41-CLIDCA",
    "2026-06-29",
    report("WASHINGTON NATIONAL DC", "2026-06-28", [76, "6:27 PM"], [72, "8:46 AM"], { precip: 0.33, snow: 0 }, []),
  ),
  "CLIDMH.txt": product(
    "201905100531-KLWX-CDUS41-CLIDMH",
    "2019-05-10",
    report("BALTIMORE INNER HARBOR MD", "2019-05-09", [74, "326 PM"], [61, "540 AM"], { precip: 0 }, []),
  ),
  "CLIDSM.txt": product(
    "201308020706-KDMX-CDUS43-CLIDSM",
    "2013-08-02",
    report("DES MOINES IA", "2013-08-01", [89, "309 PM"], [63, "545 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLIDSM2.txt": product(
    "201410122227-KDMX-CDUS43-CLIDSM",
    "2014-10-12",
    report(
      "DES MOINES IA",
      "2014-10-12",
      [56, "1204 PM"],
      [43, "322 AM"],
      { precip: 0, snow: 0 },
      ["precip_trace", "preliminary"],
      "0500 PM",
    ),
  ),
  "CLIEAR.txt": product(
    "201411132331-KGID-CDUS43-CLIEAR",
    "2014-11-13",
    report("KEARNEY", "2014-11-13", [25, "255 PM"], [5, "555 PM"], { precip: 0 }, ["preliminary"], "0500 PM"),
  ),
  "CLIECP.txt": product(
    "201412292235-KTAE-CDUS42-CLIECP",
    "2014-12-29",
    report(
      "PANAMA CITY NW",
      "2014-12-29",
      [70, "151 AM"],
      [62, "857 AM"],
      { precip: 2.72 },
      ["preliminary"],
      "0500 PM",
    ),
  ),
  "CLIEKA.txt": product(
    "201412291216-KEKA-CDUS46-CLIEKA",
    "2014-12-29",
    report("EUREKA CA", "2014-12-28", [55], [42], { precip: 0.01 }, ["snow_missing"]),
  ),
  "CLIEST.txt": product(
    "201410130647-KDMX-CDUS43-CLIEST-RRA",
    "2014-10-13",
    report("ESTHERVILLE IA", "2014-10-12", [62, "246 PM"], [33, "221 AM"], { precip: 0 }, []),
  ),
  "CLIEWN.txt": product(
    "201410181330-KMHX-CDUS42-CLIEWN",
    "2014-10-18",
    report("NEW BERN NC", "2014-09-28", [83, "213 PM"], [62, "617 AM"], { precip: 0, snow: 0 }, [
      "correction",
      "precip_annotated",
    ]),
  ),
  "CLIFFC.txt": product(
    "201410032032-KFFC-CDUS42-CLIFFC",
    "2014-10-03",
    report(
      "PEACHTREE CITY",
      "2014-10-03",
      [79, "226 PM"],
      [67, "106 AM"],
      { precip: 0.87 },
      ["preliminary", "snow_missing"],
      "0400 PM",
    ),
  ),
  "CLIFMY.txt": product(
    "201412291226-KTBW-CDUS42-CLIFMY",
    "2014-12-29",
    report(
      "FORT MYERS",
      "2014-12-29",
      undefined,
      [63, "454 AM"],
      { precip: 0 },
      ["high_missing", "preliminary"],
      "0700 AM",
    ),
  ),
  "CLIHOU.txt": product(
    "201412011455-KHGX-CDUS44-CLIHOU",
    "2014-12-01",
    report("HOUSTON INTERCONTINENTAL", "2014-11-30", [80, "233 PM"], [61, "1158 PM"], { precip: 0, snow: 0 }, []),
    report("HOUSTON/HOBBY AIRPORT", "2014-11-30", [79, "200 PM"], [62, "730 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLILWD.txt": product(
    "201705300649-KDMX-CDUS43-CLILWD-RRA",
    "2017-05-30",
    report("LAMONI IA", "2017-05-29", [76, "356 PM"], [55, "1159 PM"], { precip: 0 }, []),
  ),
  "CLIMAI.txt": product(
    "201412292235-KTAE-CDUS42-CLIMAI",
    "2014-12-29",
    report("MARIANNA", "2014-12-29", [69], [61], { precip: 1.29 }, ["preliminary"], "0500 PM"),
  ),
  "CLIMBS.txt": product(
    "201412300541-KDTX-CDUS43-CLIMBS",
    "2014-12-30",
    report("TRI CITIES MI", "2014-12-29", [29, "423 PM"], [18, "1126 PM"], { precip: 0, snow: 0 }, [
      "precip_trace",
      "snow_trace",
    ]),
  ),
  "CLIMSO.txt": product(
    "201412291531-KMSO-CDUS45-CLIMSO",
    "2014-12-29",
    report("MISSOULA MT", "2014-12-29", undefined, [12], { precip: 0 }, ["high_missing", "preliminary"], "0800 AM"),
  ),
  "CLIMSO_2.txt": product(
    "201501091531-KMSO-CDUS45-CLIMSO",
    "2015-01-09",
    report("MISSOULA MT", "2015-01-09", undefined, [16], { precip: 0 }, ["high_missing", "preliminary"], "0800 AM"),
  ),
  "CLINYC.txt": product(
    "201301030616-KOKX-CDUS41-CLINYC",
    "2013-01-03",
    report("CENTRAL PARK NY", "2013-01-02", [33, "301 PM"], [22, "743 AM"], { precip: 0, snow: 0 }, []),
  ),
  "CLIOLF.txt": product(
    "201412291231-KGGW-CDUS45-CLIOLF",
    "2014-12-29",
    report("WOLF POINT MT", "2014-12-29", [1], [-6], { precip: 0, snow: 0 }, ["preliminary"], "0500 AM"),
  ),
  "CLIOME.txt": product(
    "201410240904-PAOM-CDAK49-CLIOME",
    "2014-10-24",
    report("NOME WSO AP", "2014-10-23", [33, "0714 PM"], [19, "1149 PM"], { precip: 0.35, snow: 3.6 }, ["snow_record"]),
  ),
  // One space between all words: nothing stands under the header any more.
  "CLIPPG.txt": ["unknown column layout: a value left of OBSERVED", 15],
  "CLIPPG2.txt": product(
    "202106240414-NSTU-CDZS40-CLIPPG",
    "2021-06-23",
    report("PAGO PAGO AIRPORT", "2021-06-23", [86, "1150 AM"], [78, "250 AM"], { precip: 0.37, snow: 0 }, [
      "preliminary",
    ]),
  ),
  "CLIPPG3.txt": product(
    "202202070358-NSTU-CDZS40-CLIPPG",
    "2022-02-06",
    report("PAGO PAGO AIRPORT", "2022-02-06", [89, "0150 PM"], [82, "1250 AM"], { precip: 0.08, snow: 0 }, [
      "preliminary",
    ]),
  ),
  "CLIPPG4.txt": product(
    "202303311129-NSTU-CDZS40-CLIPPG",
    "2023-03-31",
    report("PAGO PAGO AIRPORT", "2023-03-30", [86, "1150 AM"], [77, "0650 AM"], { precip: 0.02, snow: 0 }, []),
  ),
  "CLIRDU.txt": product(
    "202103200547-KRAH-CDUS42-CLIRDU",
    "2021-03-20",
    report("RALEIGH-DURHAM INTL AIRPORT NC", "2021-03-19", [57, "221 AM"], [37, "1100 PM"], { precip: 0.1, snow: 0 }, [
      "high_estimated",
      "low_estimated",
    ]),
  ),
  "CLISAD.txt": product(
    "202108061427-KTWC-CDUS45-CLISAD",
    "2021-08-06",
    report(
      "SAFFORD AZ AIRPORT",
      "2021-08-06",
      undefined,
      [76, "615 AM"],
      { precip: 0 },
      ["high_missing", "preliminary"],
      "0700 AM",
    ),
  ),
}

const assertRefused = (text: string, reason: string, line: number) => {
  const parsed = parse(text)
  assert.isTrue(Either.isLeft(parsed), `parsed: ${JSON.stringify(parsed)}`)
  if (!Either.isLeft(parsed)) return
  assert.instanceOf(parsed.left, ClimateReportError)
  assert.include(parsed.left.reason, reason)
  assert.strictEqual(parsed.left.line, line)
  return parsed.left
}

const products = (text: string): ClimateProduct => Either.getOrThrowWith(parse(text), (error) => error)

describeRealData("recorded climate reports", (root) => {
  const folder = `${root}/weather/cli`
  it("are the texts of this table", () => {
    const names = readdirSync(folder).sort()
    assert.deepStrictEqual(names, Object.keys(recorded).sort())
    assert.strictEqual(names.length, 46)
  })

  it.each(Object.entries(recorded))("%s", (name, expected) => {
    const text = readFileSync(`${folder}/${name}`, "utf8")
    const relayed = `\u0001\r\r\n${text.replaceAll("\n", "\r\r\n")}\u0003`
    if ("productId" in expected) {
      assert.deepStrictEqual(products(text), expected)
      assert.deepStrictEqual(products(relayed), expected)
    } else {
      assertRefused(text, ...expected)
      assertRefused(relayed, expected[0], expected[1] + 1)
    }
  })
})

const grayfield = readFileSync(new URL("../../../fixtures/weather/grayfield.txt", import.meta.url), "utf8")
const grayfieldLines = grayfield.split("\n")

/** The synthetic report with other lines in the place of some, by line number; null drops the line. */
const edited = (changes: Record<number, string | null>): string =>
  grayfieldLines
    .flatMap((line, index) => {
      const change = changes[index + 1]
      return change === undefined ? [line] : change === null ? [] : [change]
    })
    .join("\n")

const lineRange = (from: number, to: number, line: string | null = null): Record<number, string | null> =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [from + index, line]))

const plain = products(grayfield)
const section = grayfieldLines.slice(8, 32).join("\n")

describe("a report with other lines", () => {
  const one = (text: string): ClimateReport => {
    const { reports } = products(text)
    assert.strictEqual(reports.length, 1)
    return reports[0]!
  }

  it("is read as it stands", () =>
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

  it("is cut from its envelope, and several from theirs", () => {
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

  it("may hold several stations, one of them twice", () => {
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

describe("a text that is refused", () => {
  const layout = "unknown column layout"
  const rows: ReadonlyArray<readonly [name: string, text: string, reason: string, line: number]> = [
    ["nothing", "", "does not begin with a WMO heading", 1],
    ["blank lines", "\n\n  \n", "does not begin with a WMO heading", 4],
    ["prose", "GOOD MORNING\n", "does not begin with a WMO heading", 1],
    ["too long", `${grayfield}${" ".repeat(65_536)}`, "longer than 64 KiB", 1],
    ["no WMO heading", edited({ 2: null }), "does not begin with a WMO heading", 2],
    ["a mangled WMO heading", edited({ 2: "CDUS41 KZZZ 09062" }), "does not begin with a WMO heading", 2],
    ["an hour of 24", edited({ 2: "CDUS41 KZZZ 092400" }), "impossible time", 2],
    ["a day of 00", edited({ 2: "CDUS41 KZZZ 000626" }), "impossible time", 2],
    [
      "a record event report",
      edited({ 2: "SXUS71 KZZZ 090626" }),
      "not a climate product: its WMO heading is SXUS71",
      2,
    ],
    ["no AWIPS id", edited({ 3: null }), "not a CLI AWIPS id", 4],
    ["another AWIPS id", edited({ 3: "RERXYZ" }), "not a CLI AWIPS id", 3],
    ["a heading alone", "CDUS41 KZZZ 090626", "not a CLI AWIPS id", 1],
    ["no issue line", edited({ 7: null }), "no issue line before this", 10],
    ["a mangled issue line", edited({ 7: "226 AM EDT THU JUL 09" }), "issue line cannot be read", 7],
    ["an issue at 13 PM", edited({ 7: "1326 PM EDT THU JUL 09 2026" }), "issue line cannot be read", 7],
    [
      "an issue date that is none",
      edited({ 7: "226 AM EDT THU JUN 31 2026" }),
      "issue line has a date that does not",
      7,
    ],
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
      "a month that is none",
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
    ["degrees Celsius", edited({ 17: "TEMPERATURE (C)" }), "no TEMPERATURE block", 13],
    ["only a block of trends", edited({ 17: "TEMPERATURE TRENDS" }), "no TEMPERATURE block", 13],
    ["temperatures of a month", edited({ 18: " MONTH" }), "neither TODAY nor YESTERDAY", 18],
    [
      "one space between words",
      edited({ 19: "MAXIMUM 85 347 PM 100 1993" }),
      `${layout}: a value left of OBSERVED`,
      19,
    ],
    [
      "an amount close to its label",
      edited({ 25: "  YESTERDAY 0.12   0.00" }),
      `${layout}: a value left of OBSERVED`,
      25,
    ],
    [
      "a value under TIME",
      edited({ 19: "  MAXIMUM                85" }),
      `${layout}: the value under TIME is not a time`,
      19,
    ],
    [
      "an amount under TIME",
      edited({ 25: "  YESTERDAY               0.12" }),
      `${layout}: the value under TIME is not a time`,
      25,
    ],
    [
      "a value missed by all columns",
      edited({ 19: "  MAXIMUM                      100    1993" }),
      `${layout}: nothing under`,
      19,
    ],
    ["two values", edited({ 19: "  MAXIMUM         85 86 347 PM" }), `${layout}: more than one value`, 19],
    [
      "a time under OBSERVED",
      edited({ 19: "  MAXIMUM        347 PM" }),
      `${layout}: a time that is not under TIME`,
      19,
    ],
    [
      "a time beyond its column",
      edited({ 19: "  MAXIMUM         85            347 PM" }),
      `${layout}: a time that is not`,
      19,
    ],
    [
      "a time without its column",
      edited({ 13: "WEATHER ITEM   OBSERVED RECORD" }),
      `${layout}: a time that is not`,
      19,
    ],
    [
      "a time of an amount",
      edited({ 25: "  YESTERDAY        0.12 347 PM" }),
      `${layout}: a time on the line of an amount`,
      25,
    ],
    ["AM alone", edited({ 19: "  MAXIMUM         AM" }), `${layout}: a time that is not under TIME`, 19],
    ["60 minutes", edited({ 19: "  MAXIMUM         85    360 PM" }), "not a 12-hour time", 19],
    ["the hour 13", edited({ 21: "  MINIMUM         64   1340 AM" }), "not a 12-hour time", 21],
    ["the hour 0", edited({ 21: "  MINIMUM         64   0:40 AM" }), "not a 12-hour time", 21],
    [
      "a decimal temperature",
      edited({ 19: "  MAXIMUM         85.5  347 PM" }),
      "temperature under OBSERVED cannot be read",
      19,
    ],
    [
      "a letter for a figure",
      edited({ 19: "  MAXIMUM         8S    347 PM" }),
      "temperature under OBSERVED cannot be read",
      19,
    ],
    [
      "a trace of warmth",
      edited({ 21: "  MINIMUM          T    440 AM" }),
      "temperature under OBSERVED cannot be read",
      21,
    ],
    ["too hot", edited({ 19: "  MAXIMUM        141    347 PM" }), "outside -80 to 140", 19],
    ["too cold", edited({ 21: "  MINIMUM        -81    440 AM" }), "outside -80 to 140", 21],
    ["high below low", edited({ 19: "  MAXIMUM         63    347 PM" }), "maximum is below the minimum", 19],
    ["two lines in one", edited({ 20: grayfieldLines[19] + grayfieldLines[20]!, 21: null }), "unknown line", 20],
    [
      "two items in one",
      edited({ 19: grayfieldLines[18] + grayfieldLines[20]!, 21: null }),
      `${layout}: a word among`,
      19,
    ],
    ["MAXIMUM twice", edited({ 20: "  MAXIMUM         85    347 PM" }), "MAXIMUM twice", 20],
    ["a line that lost its label", edited({ 19: "                  85    347 PM 100" }), "unknown line", 19],
    ["a mangled label", edited({ 21: "  MINUMUM         64    440 AM" }), "unknown line", 21],
    ["negative rain", edited({ 25: "  YESTERDAY       -0.12" }), "outside 0 to 50 inches", 25],
    ["too much rain", edited({ 25: "  YESTERDAY       50.01" }), "outside 0 to 50 inches", 25],
    ["too much snow", edited({ 29: "  YESTERDAY      100.1" }), "outside 0 to 100 inches", 29],
    ["rain of three decimals", edited({ 25: "  YESTERDAY        0.123" }), "amount under OBSERVED cannot be read", 25],
    ["another unit", edited({ 24: "PRECIPITATION (MM)" }), "unit of PRECIPITATION is not inches", 25],
    ["another unit on its line", edited({ 28: "SNOWFALL\n(CM)" }), "unit of SNOWFALL is not inches", 30],
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

describe("any text", () => {
  /** 60 kB of what a regular expression or a loop could stumble over, alone and where the parser looks for something. */
  const floods = [
    " ",
    "\t",
    "\r",
    "\n",
    "\r\n",
    ".",
    "...",
    "...A\n",
    "1",
    "1 ",
    "A ",
    "AM ",
    "R",
    "(E)",
    "\u0001",
    "THE ",
    " CLIMATE SUMMARY ",
    " CLIMATE SUMMARY FOR JULY 8 2026",
    "...THE A CLIMATE SUMMARY FOR JULY 8 2026...\n",
    "WEATHER ITEM   OBSERVED\n",
    "&&\n",
    "VALID AS OF ",
    "CDUS41 KZZZ 090626 ",
    "226 AM EDT THU JUL 09 2026 /",
  ]
  const flooded = (flood: string): ReadonlyArray<readonly [string, string]> => {
    const long = flood.repeat(Math.floor(60_000 / flood.length))
    return [
      ["alone", long],
      ["in the heading", edited({ 2: `CDUS41 KZZZ 090626${long}X` })],
      ["in the issue line", edited({ 7: `226 AM EDT THU JUL${long}X` })],
      ["in the headline", edited({ 11: `...THE ${long}X` })],
      ["in the table header", edited({ 13: `WEATHER ITEM${long}X` })],
      ["in a row", edited({ 19: `  MAXIMUM ${long}X` })],
      // Blanks would leave the amount as it is.
      ...(flood.trim() === "" ? [] : [["in an amount", edited({ 25: `  YESTERDAY        0${long}X` })] as const]),
    ]
  }

  it.each(
    floods.flatMap((flood) => flooded(flood).map(([where, text]) => [JSON.stringify(flood), where, text] as const)),
  )("60 kB of %s %s are refused", (_flood, _where, text) => assert.isTrue(Either.isLeft(parse(text))))

  const inRange = (value: number | undefined, least: number, most: number) =>
    assert.isTrue(value === undefined || (value >= least && value <= most), String(value))

  const assertSound = (text: string) => {
    const parsed = parse(text)
    if (Either.isLeft(parsed)) {
      const { line, reason, text: shown } = parsed.left
      assert.isTrue(line >= 1 && line <= text.split("\n").length && reason.endsWith(".") && shown.length <= 120)
      return
    }
    assert.isNotEmpty(parsed.right.reports)
    for (const { day, highF, lowF, precipIn, snowIn, flags } of parsed.right.reports) {
      assert.strictEqual(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10), day)
      inRange(highF, lowF ?? -80, 140)
      inRange(lowF, -80, highF ?? 140)
      inRange(precipIn, 0, 50)
      inRange(snowIn, 0, 100)
      for (const value of [highF, lowF]) assert.isTrue(value === undefined || Number.isInteger(value))
      assert.deepStrictEqual(flags, [...new Set(flags)].sort())
      assert.strictEqual(highF === undefined, flags.includes("high_missing"))
      assert.strictEqual(lowF === undefined, flags.includes("low_missing"))
    }
  }

  it("never throws", () => fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), assertSound)))

  const at = fc.nat({ max: 4_000 })
  const character = fc.constantFrom(..." \n\t\r.-*()/:0123456789AEFMNPRTY\u0001\u0003é")
  const edit = fc.oneof(
    fc.record({ kind: fc.constant("insert" as const), at, character }),
    fc.record({ kind: fc.constant("delete" as const), at, length: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constant("replace" as const), at, character }),
    fc.record({ kind: fc.constant("dropLine" as const), at }),
    fc.record({ kind: fc.constant("moveLine" as const), at, to: at }),
  )

  it("is read soundly or refused when a report is damaged", () =>
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let text = grayfield
        for (const each of edits) {
          const place = each.at % (text.length + 1)
          const lines = text.split("\n")
          const index = each.at % lines.length
          if (each.kind === "insert") text = text.slice(0, place) + each.character + text.slice(place)
          else if (each.kind === "delete") text = text.slice(0, place) + text.slice(place + each.length)
          else if (each.kind === "replace") text = text.slice(0, place) + each.character + text.slice(place + 1)
          else {
            const [line = ""] = lines.splice(index, 1)
            if (each.kind === "moveLine") lines.splice(each.to % (lines.length + 1), 0, line)
            text = lines.join("\n")
          }
        }
        assertSound(text)
      }),
      { numRuns: 1_000 },
    ))

  const shift = fc.record({
    line: fc.constantFrom(13, 19, 21, 25, 29),
    at: fc.nat({ max: 70 }),
    by: fc.integer({ min: -6, max: 6 }),
  })

  it("never takes another column's number when columns are shifted", () =>
    fc.assert(
      fc.property(fc.array(shift, { minLength: 1, maxLength: 3 }), (shifts) => {
        const lines = [...grayfieldLines]
        for (const { line, at, by } of shifts) {
          const before = lines[line - 1]!
          const place = at % before.length
          const blanks = / */y
          blanks.lastIndex = place
          const width = blanks.exec(before)![0].length
          // At least one blank stays and no word is split: joined and split words are other words.
          const kept = width === 0 ? 0 : Math.max(1, width + by)
          lines[line - 1] = before.slice(0, place) + " ".repeat(kept) + before.slice(place + width)
        }
        const parsed = parse(lines.join("\n"))
        if (Either.isLeft(parsed)) return
        const { highF, lowF, precipIn, snowIn, flags } = parsed.right.reports[0]!
        assert.deepStrictEqual([highF, lowF], [85, 64])
        assert.isTrue(precipIn === undefined ? flags.includes("precip_missing") : precipIn === 0.12)
        assert.isTrue(snowIn === undefined ? flags.includes("snow_missing") : snowIn === 0.3)
      }),
      { numRuns: 2_000 },
    ))
})

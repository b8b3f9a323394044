import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import type { ClimateProduct } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { assertRefused, product, products, report } from "../../../support/climateReport.ts"
import { describeRealData } from "../../../support/realData.ts"

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

describeRealData("recorded climate reports", (root) => {
  const folder = `${root}/weather/cli`
  it("match this table one to one", () => {
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

import { assert, describe, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import type { Stations } from "../../../../adapters/describe/figures.ts"
import { bare } from "../../../../adapters/server/http/Site.ts"
import * as charts from "../../../../adapters/web/scoreboard/charts.tsx"
import { page as framed, months, Steps } from "../../../../adapters/web/scoreboard/page.tsx"
import { verdict } from "../../../../adapters/web/scoreboard/verdict.ts"
import { signed, ticks } from "../../../../adapters/web/view/chart.tsx"
import { scored } from "../../../../core/lanes/markets/performance.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import type { SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { settledRow, settledRows } from "../../../support/settledRows.ts"
import { elementsOf } from "../../../support/wellFormed.ts"

const registry = (agreement?: Stations[number]["settles"]["agreement"]): Stations => [
  {
    ...{
      id: "KNYC",
      name: "Central Park",
      city: "New York",
      state: "NY",
      tz: "America/New_York",
      cli_product: "CLINYC",
    },
    settles: {
      ...{ venue_high_series: "KXHIGHNY", venue_low_series: "KXLOWTNYC", polymarket: null },
      ...(agreement !== undefined && { agreement }),
    },
    coordinates: { lat: 40.7789, lon: -73.9692 },
  },
]

const page = (results: Parameters<typeof framed>[0], freshness: "live" | "mock", stations = registry()) =>
  framed(results, [], stations, freshness, bare)

const resultsOf = (rows: ReadonlyArray<SettledMarket>) => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  return { as_of: "2026-07-09T18:01:00.000Z", ...scored(board), live: { open_tracked: 7, awaiting_settlement: 3 } }
}

/** Rows and the number of charts that they allow: an interval needs several events. */
const worlds = {
  "no rows": { rows: [], drawn: 0 },
  "one row": { rows: [settledRow()], drawn: 3 },
  "voids alone": { rows: [settledRow({ result: "void" })], drawn: 0 },
  "many rows": { rows: settledRows(2_000, 8), drawn: 4 },
}

describe("the scoreboard's page", () => {
  for (const [name, { rows, drawn }] of Object.entries(worlds)) {
    it(`of ${name} is well-formed, needs no external resources, and has a table below each chart`, () => {
      const html = page(resultsOf(rows), "live")
      // Without the mark of the header, which says nothing.
      const elements = elementsOf(html).filter(({ attributes }) => attributes["aria-hidden"] !== "true")
      const names = elements.map((element) => element.name)
      for (const never of ["script", "style", "iframe", "img", "object"]) assert.notInclude(names, never)
      for (const { attributes } of elements) {
        for (const [attribute, value] of Object.entries(attributes)) {
          assert.notMatch(attribute, /^(on|style$)/)
          if (attribute === "href" || attribute === "src") assert.match(value, /^(\/(scoreboard|v1|assets)\/|#main$)/)
        }
      }
      assert.notMatch(html, /NaN|Infinity|undefined|null/)
      for (const { name: element, attributes, text } of elements) {
        if (element === "svg") assert.isAbove(attributes["aria-label"]!.length, 20)
        if (element === "table") assert.include(text, "<caption>")
      }
      const figures = elements.filter(({ name: element }) => element === "figure").length
      assert.strictEqual(names.filter((element) => element === "svg").length, figures)
      assert.strictEqual(figures, drawn)
      for (const { name: element, text } of elements) {
        if (element === "figure") assert.match(text, /^<svg .*<\/svg><details><summary>.*<table>.*<\/details>$/s)
      }
    })
  }

  it("has the parts of clusters enough alone", () => {
    const fold = (html: string, name: string) =>
      new RegExp(`<details><summary>${name}</summary>(.*?)</details>`, "s").exec(html)![1]!
    const [one, many] = [resultsOf([settledRow()]), resultsOf(settledRows(2_000, 8))]
    const [short, long] = [page(one, "live"), page(many, "live")]
    for (const [name, key] of [
      ["By size of edge", "by_edge"],
      ["By month", "by_month"],
      ["By hour of the close", "by_hour"],
    ] as const) {
      assert.match(fold(short, name), /^<p>No part has ten weeks of weather or football/)
      const parts = many[key]!.map(({ part, clusters }) => ({ cell: `row">${part}</th>`, clusters }))
      const enough = parts.filter(({ clusters }) => clusters >= 10)
      if (key !== "by_hour") assert.isAbove(enough.length, 2)
      for (const { cell, clusters } of parts) assert.strictEqual(fold(long, name).includes(cell), clusters >= 10)
    }
  })

  it("escapes texts of venues and models", () => {
    const html = page(resultsOf([settledRow({ modelVersion: `<b onclick="x">&'` })]), "live")
    assert.include(html, "&lt;b onclick=&quot;x&quot;>&amp;'")
    assert.notInclude(html, "<b ")
  })

  it("marks a demonstration", () => {
    assert.match(page(resultsOf(worlds["many rows"].rows), "mock"), /class="notice">Sample data/)
    assert.notMatch(page(resultsOf(worlds["many rows"].rows), "live"), /Sample data/)
  })

  it("states who is ahead, and whether that is significant", () => {
    const score = { markets_scored: 1_234, brier_model: 0.2, brier_market: 0.19, model_beats_market: false }
    const difference = { estimate: 0.01, level: 0.95 }
    for (const [changes, said] of [
      [{}, "No interval yet: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's."],
      [
        { brier_difference: { ...difference, low: 0.001, high: 0.02 } },
        "The market leads: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's (95 %: 0.0010 to 0.0200).",
      ],
      [
        { brier_difference: { ...difference, low: -0.001, high: 0.02 } },
        "No clear winner yet: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's (95 %: −0.0010 to 0.0200).",
      ],
      [
        { brier_model: 0.18, brier_difference: { ...difference, estimate: -0.01, low: -0.02, high: -0.001 } },
        "The model leads: over 1,234 settled markets the model's Brier score is 0.0100 lower",
      ],
      [{ brier_model: 0.18 }, "the model's Brier score is 0.0100 lower than the market's."],
      [{ brier_model: 0.19 }, "Model and market are level over"],
    ] as const) {
      assert.include(verdict({ ...score, ...changes }), said)
    }
    assert.strictEqual(verdict({ markets_scored: 0, model_beats_market: false }), "Nothing has settled yet.")
  })
})

describe("charts", () => {
  it("have round ticks within their range", () => {
    assert.deepStrictEqual(ticks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1])
    assert.deepStrictEqual(ticks(-0.012, 0.012), [-0.01, -0.005, 0, 0.005, 0.01])
    assert.deepStrictEqual(ticks(-93, 4), [-80, -60, -40, -20, 0])
    assert.deepStrictEqual(ticks(5, 5), [5])
  })

  it("put a bin where its mean and its frequency are, the model's as circles, the market's as squares", () => {
    const bin = { count: 8, mean_probability: 0.25, frequency: 0.75, low: 0.5, high: 1 }
    const chart = renderToString(
      charts.Reliability({ model: [bin], market: [{ ...bin, count: 4, mean_probability: 0.5 }] }),
    )
    // A square of 300 at 44, 12: x = 44 + .25 · 300, y = 12 + .25 · 300.
    assert.include(chart, `<circle class="model" cx="119" cy="87" r="4">`)
    assert.include(chart, `<line class="band model" x1="119" y1="162" x2="119" y2="12">`)
    assert.include(chart, `<rect class="market" x="190.5" y="83.5" width="7" height="7">`)
    for (const words of ["model 0 to 10 %: 8 markets", "market 0 to 10 %: 4 markets"]) assert.include(chart, words)
  })

  it("put model and market of a lead on a scale on which .003 is visible", () => {
    const chart = renderToString(
      charts.Leads({ rows: [{ label: "over 24 h", markets: 1_234, model: 0.2, market: 0.203 }] }),
    )
    const at = Number(/<circle class="model" cx="([\d.]+)" cy="45"/.exec(chart)![1])
    const other = Number(/<rect class="market" x="([\d.]+)" y="53.5"/.exec(chart)![1])
    assert.isAbove(other - at, 100)
    for (const words of ["1,234", "−0.0030", "over 24 h: model 0.2000, market 0.2030"]) assert.include(chart, words)
  })

  it("draw a running sum as steps, with its last value", () => {
    const chart = renderToString(
      Steps({
        points: [
          { day: "2026-01-01", value: 1 },
          { day: "2026-01-11", value: -3 },
        ],
      }),
    )
    // y: 1 at 12, -3 at 212, so 0 at 62. It begins at 0 and has no slope.
    assert.include(chart, `d="M44 62V12H298V212"`)
    assert.include(chart, `class="name">−3.00<`)
    assert.match(chart, />Jan<.*>2026</s)
  })

  it("have at most seven months on an axis", () => {
    const day = (text: string) => Date.parse(text)
    const shown = (from: string, to: string) =>
      months(day(from), day(to)).map((at) => new Date(at).toISOString().slice(0, 7))
    assert.deepStrictEqual(shown("2025-11-10", "2026-02-01"), ["2025-12", "2026-01", "2026-02"])
    assert.deepStrictEqual(shown("2025-12-02", "2026-11-20"), [
      "2026-01",
      "2026-03",
      "2026-05",
      "2026-07",
      "2026-09",
      "2026-11",
    ])
    assert.deepStrictEqual(shown("2026-01-02", "2026-01-09"), [])
    for (const years of [2, 5, 9, 30]) {
      const count = months(day("2026-01-01"), day(`${2026 + years}-01-01`)).length
      assert.isAtLeast(count, 2)
      assert.isAtMost(count, 7)
    }
  })

  it("mark every difference with its interval, all markets first", () => {
    const row = { markets: 10, estimate: -0.5, low: -1, high: 0 }
    const chart = renderToString(
      charts.Differences({
        rows: [
          { ...row, label: "all" },
          { ...row, label: "nfl" },
        ],
        of: ["model", "market"],
        hasTotal: true,
      }),
    )
    assert.match(chart, /<path class="point".*<circle class="point"/s)
    assert.include(chart, "all -0.5000, -1.0000 to 0.0000; nfl")
    assert.strictEqual(signed("-0.5"), "−0.5")
  })

  it("has how the venue's source agrees with the reports, or says that none of it is stored", () => {
    const results = resultsOf(worlds["one row"].rows)
    assert.include(
      page(results, "live"),
      "No values of the venue’s source of temperatures are stored".replace("’", "'"),
    )
    const agreement = {
      ...{ source: "The Weather Company", compared: 314, equal: 312, within_one: 314, missing: 3, differences: [] },
      ...{ equal_low: 0.97708, equal_high: 0.99825 },
    }
    const html = page(results, "live", registry(agreement))
    const cells = ["314", "312", "97.7 % to 99.8 %", "314", "3"].map((cell) => `<td class="number">${cell}</td>`)
    assert.include(html, `New York (KNYC)</th>${cells.join("")}`)
  })
})

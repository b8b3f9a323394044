import { assert, describe, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import type { Stations } from "../../../../adapters/describe/figures.ts"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { reliability } from "../../../../adapters/web/pictures/reliability.ts"
import * as charts from "../../../../adapters/web/scoreboard/charts.tsx"
import { page as framed } from "../../../../adapters/web/scoreboard/page.tsx"
import { headline, verdict } from "../../../../adapters/web/scoreboard/verdict.ts"
import { type Picture, plot } from "../../../../adapters/web/view/plot.tsx"
import { toFigures } from "../../../../core/lanes/markets/performance.ts"
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
  framed(results, [], stations, freshness, emptySite)

const resultsOf = (rows: ReadonlyArray<SettledMarket>) => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  return { as_of: "2026-07-09T18:01:00.000Z", ...toFigures(board), live: { open_tracked: 7, awaiting_settlement: 3 } }
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
      for (const never of ["style", "iframe", "img", "object"]) assert.notInclude(names, never)
      for (const { attributes } of elements) {
        for (const [attribute, value] of Object.entries(attributes)) {
          assert.notMatch(attribute, /^(on|style$)/)
          if (attribute === "href" || attribute === "src") assert.match(value, /^(\/(scoreboard|v1|assets)\/|#main$)/)
        }
      }
      assert.notMatch(html, /NaN|Infinity|undefined|null/)
      for (const { name: element, attributes, text } of elements) {
        if (attributes["role"] === "img") assert.isAbove(attributes["aria-label"]!.length, 10)
        if (element === "table") assert.include(text, "<caption>")
      }
      const figures = elements.filter(({ name: element }) => element === "figure").length
      assert.strictEqual(elements.filter(({ attributes }) => attributes["role"] === "img").length, figures)
      assert.strictEqual(figures, drawn)
      for (const { name: element, text } of elements) {
        if (element === "figure")
          assert.match(
            text,
            /<output.*<svg .*<\/svg>(<div class="names".*<\/div>)?<details><summary>.*<table>.*<\/details>$/s,
          )
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

  it("names the subjects with too few events for an interval, and no other", () => {
    const rows = settledRows(2_000, 8).filter(({ domain }) => domain !== "nfl" && domain !== "mlb")
    const html = page(resultsOf([...rows, settledRow({ domain: "nfl" })]), "live")
    assert.include(html, "interval: Football (n = 1) and Baseball (none settled yet).")
  })

  it("escapes texts of venues and models", () => {
    const html = page(resultsOf([settledRow({ modelVersion: `<b onclick="x">&'` })]), "live")
    assert.include(html, "&lt;b onclick=&quot;x&quot;>&amp;'")
    assert.notInclude(html, "<b ")
  })

  it("marks a demonstration", () => {
    assert.match(
      page(resultsOf(worlds["many rows"].rows), "mock"),
      /misses included\. <span class="badge test">Sample data, not a track record\./,
    )
    assert.notMatch(page(resultsOf(worlds["many rows"].rows), "live"), /Sample data/)
  })

  it("says first, for everybody, how often it came true", () => {
    const results = resultsOf(worlds["many rows"].rows)
    const said = /<p class="lead">When we said (\d+)\s%, it happened (\d+)\s% of the time\. Over/.exec(
      page(results, "live"),
    )!
    const bin = results.overall.model!.bins.find(
      ({ mean_probability: mean = 0 }) => `${Math.round(100 * mean)}` === said[1],
    )!
    assert.strictEqual(said[2], `${Math.round(100 * bin.frequency!)}`)
    assert.include(page(resultsOf([settledRow()]), "live"), "<h1>Model against market: too close to call</h1>")
  })

  it("states who is ahead, and whether that is significant", () => {
    const score = { markets_scored: 1_234, brier_model: 0.2, brier_market: 0.19, model_beats_market: false }
    const difference = { estimate: 0.01, level: 0.95 }
    for (const [changes, said, first = "Model against market: too close to call"] of [
      [{}, "No interval yet: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's."],
      [
        { brier_difference: { ...difference, low: 0.001, high: 0.02 } },
        "The market leads: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's (95 %: 0.0010 to 0.0200).",
        "The market is ahead of the model",
      ],
      [
        { brier_difference: { ...difference, low: -0.001, high: 0.02 } },
        "No clear winner yet: over 1,234 settled markets the model's Brier score is 0.0100 higher than the market's (95 %: −0.0010 to 0.0200).",
      ],
      [
        { brier_model: 0.18, brier_difference: { ...difference, estimate: -0.01, low: -0.02, high: -0.001 } },
        "The model leads: over 1,234 settled markets the model's Brier score is 0.0100 lower",
        "The model is ahead of the market",
      ],
      [{ brier_model: 0.18 }, "the model's Brier score is 0.0100 lower than the market's."],
      [{ brier_model: 0.19 }, "Model and market are level over"],
    ] as const) {
      assert.include(verdict({ ...score, ...changes }), said)
      assert.strictEqual(headline({ ...score, ...changes }), first)
    }
    assert.strictEqual(verdict({ markets_scored: 0, model_beats_market: false }), "Nothing has settled yet.")
  })
})

describe("charts", () => {
  const drawn = (picture: Omit<Picture, "title">) => renderToString(plot({ title: "A picture", ...picture }))

  it("put a bin where its mean and its frequency are, with its band, and count its markets", () => {
    const bin = { count: 8, mean: 0.25, frequency: 0.75, low: 0.5, high: 1 }
    const chart = drawn(reliability([{ name: "Model", as: "model", bins: [bin] }], "Markets"))
    // A square of 360 below the name of its axis: y = 26 + .25 · 360.
    assert.match(chart, /<svg x="25%" y="116"[^>]*><path class="dot model"/)
    assert.include(chart, `<path class="area model" d="M250 26L250 206Z"`)
    assert.match(chart, />0 % to 100 %<\/th><td[^>]*>75 % of 8 \(50 % to 100 %\)</)
  })

  it("draw bins of few forecasts faint and do not join them", () => {
    const bins = [3, 9, 9].map((count, at) => ({ count, mean: at / 2, frequency: at / 2 }))
    const chart = drawn(reliability([{ name: "Model", as: "model", bins }], "Markets", 5))
    assert.strictEqual(chart.match(/class="dot model faint"/g)?.length, 1)
    assert.match(chart, /class="line model" d="M500 [\d.]+L1000 [\d.]+"/)
  })

  it("put model and market of a lead on a scale on which .003 is visible", () => {
    const chart = drawn(
      charts.leads([
        { label: "over 24 h", model: 0.2, market: 0.203, href: "/l", cells: ["1,234", "0.2", "0.203", "–"] },
      ]),
    )
    const [market, model] = [...chart.matchAll(/<svg x="([\d.]+)%"/g)].map(([, at]) => Number(at))
    assert.isAbove(market! - model!, 70)
    assert.match(
      chart,
      /<a href="\/l">over 24 h<\/a><\/th><td[^>]*>−0.0030<\/td><td[^>]*>1,234<\/td><td[^>]*>0.2<\/td><td[^>]*>0.203<\/td><td[^>]*>–</,
    )
  })

  it("draw a running sum as steps from 0, with its last value at its end", () => {
    const days = [
      { day: "2026-01-01", value: 1, trades: 1 },
      { day: "2026-01-11", value: -3, trades: 2 },
    ]
    const chart = drawn(charts.ledger(days))
    const steps = /class="line model" d="M0 ([\d.]+)L0 ([\d.]+)L1000 ([\d.]+)L1000 ([\d.]+)"/
      .exec(chart)!
      .slice(1)
      .map(Number)
    assert.strictEqual(steps[1], steps[2])
    assert.approximately((steps[3]! - steps[2]!) / (steps[0]! - steps[1]!), 4, 0.01)
    assert.include(chart, ">−3.00</text>")
  })

  it("mark every difference with its interval, all markets first", () => {
    const row = { markets: 10, estimate: -0.5, low: -1, high: 0 }
    const rows = [
      { ...row, label: "all" },
      { ...row, label: "nfl" },
    ]
    const chart = drawn(charts.differences(rows, ["model", "market"], true, (label) => `/${label}`))
    assert.strictEqual(chart.match(/<line class="rule model"/g)?.length, 2)
    const [all, nfl] = [...chart.matchAll(/class="dot model(?: total)?" d="([^"]*)"/g)].map(([, d]) => d)
    assert.notStrictEqual(all, nfl)
    assert.match(
      chart,
      /<a href="\/nfl">Football, n = 10<\/a><\/th><td[^>]*>−0.5000<\/td><td>−1.0000 to 0.0000<\/td><td[^>]*>10</,
    )
  })

  it("has how the venue's source agrees with the reports, or says that none of it is stored", () => {
    const results = resultsOf(worlds["one row"].rows)
    assert.include(
      page(results, "live"),
      "No values of the venue’s source of temperatures are stored".replace("’", "'"),
    )
    const agreement = {
      ...{ venue_source: "The Weather Company", compared: 314, equal: 312, within_one: 314, missing: 3 },
      differences: [],
      equal_share: { estimate: 0.993631, low: 0.97708, high: 0.99825, level: 0.95 },
    }
    const html = page(results, "live", registry(agreement))
    const cells = ["314", "312", "97.7 % to 99.8 %", "314", "3"].map((cell) => `<td class="number">${cell}</td>`)
    assert.include(html, `New York (KNYC)</th>${cells.join("")}`)
  })
})

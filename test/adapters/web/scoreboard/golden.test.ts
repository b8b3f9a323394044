import { assert, it } from "@effect/vitest"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { bare } from "../../../../adapters/server/http/Site.ts"
import * as charts from "../../../../adapters/web/scoreboard/charts.tsx"
import { months, page, Steps } from "../../../../adapters/web/scoreboard/page.tsx"
import { ticks } from "../../../../adapters/web/view/chart.tsx"
import { scored } from "../../../../core/lanes/markets/performance.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { digest } from "../../../support/digest.ts"
import { settledRows } from "../../../support/settledRows.ts"

/** The charts of the page over rows, and its tables. */
const picturesOf = (count: number, seed: number) => {
  const board = Board.empty()
  for (const row of settledRows(count, seed)) Board.add(board, row)
  const results = {
    as_of: "2026-07-09T18:01:00.000Z",
    ...scored(board),
    live: { open_tracked: 7, awaiting_settlement: 3 },
  }
  const html = page(results, [], [], "live", bare)
  return {
    charts: [...html.matchAll(/<svg .*?<\/svg>/gs)].map(([svg]) => digest(svg)),
    tables: digest([...html.matchAll(/<table>.*?<\/table>/gs)].map(([table]) => table)),
  }
}

// Where things stand in a picture is looked at by eye, once: the pictures of `npm run shots`.
it("the scoreboard draws the same of the same rows", () => {
  assert.deepStrictEqual(
    [picturesOf(1_500, 8), picturesOf(12, 3)],
    [
      {
        charts: ["56594f9a", "8fc7dd9d", "052d9ff1", "b558853d"],
        tables: "a7dbce1b",
      },
      {
        charts: ["cb39fd30", "c1ca15df", "11c8cf1c"],
        tables: "8d21988b",
      },
    ],
  )
})

it("a chart draws the same of the same numbers", () => {
  const days = ["2025-11-20", "2025-12-31", "2026-01-01", "2026-03-05", "2027-01-02"]
  const row = (label: string, estimate: number) => ({
    label,
    markets: 1_234,
    estimate,
    low: estimate - 0.01,
    high: estimate + 0.02,
  })
  const bins = [
    { count: 40, mean_probability: 0.1, frequency: 0.2, low: 0.1, high: 0.3 },
    { count: 0 },
    { count: 1_300, mean_probability: 0.7, frequency: 0.65, low: 0.6, high: 0.7 },
  ]
  assert.deepStrictEqual(
    {
      steps: digest(
        renderToString(h(Steps, { points: days.map((day, at) => ({ day, value: [3, -2.5, 4, 4, 1.25][at]! })) })),
      ),
      none: digest(renderToString(h(Steps, { points: [] }))),
      differences: digest(
        renderToString(
          h(charts.Differences, {
            rows: [row("all", -0.02), row("a name that is too long", 0.03)],
            of: ["model", "market"],
            hasTotal: true,
          }),
        ),
      ),
      leads: digest(
        renderToString(
          h(charts.Leads, {
            rows: [
              { label: "over 24 h", markets: 5, model: 0.2, market: 0.19 },
              { label: "under 1 h", markets: 5_000, model: 0.1, market: 0.12 },
            ],
          }),
        ),
      ),
      reliability: digest(renderToString(h(charts.Reliability, { model: bins, market: [...bins].reverse() }))),
      months: months(Date.UTC(2025, 10, 20), Date.UTC(2026, 4, 1)).map((at) => new Date(at).toISOString().slice(0, 10)),
      halves: months(Date.UTC(2025, 0, 1), Date.UTC(2027, 11, 1)).map((at) => new Date(at).toISOString().slice(0, 10)),
      years: months(Date.UTC(2015, 0, 1), Date.UTC(2027, 11, 1)).map((at) => new Date(at).toISOString().slice(0, 10)),
      ticks: [ticks(0, 1), ticks(-3, 47), ticks(0.1, 0.13, 4), ticks(5, 5)],
    },
    {
      differences: "de16b52f",
      halves: ["2025-01-01", "2025-07-01", "2026-01-01", "2026-07-01", "2027-01-01", "2027-07-01"],
      leads: "604f79cc",
      months: ["2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"],
      none: "b825140c",
      reliability: "7584471c",
      steps: "02f62133",
      ticks: [[0, 0.2, 0.4, 0.6, 0.8, 1], [0, 10, 20, 30, 40], [0.1, 0.11, 0.12, 0.13], [5]],
      years: ["2016-01-01", "2018-01-01", "2020-01-01", "2022-01-01", "2024-01-01", "2026-01-01"],
    },
  )
})

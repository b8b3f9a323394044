import { assert, describe, it } from "@effect/vitest"
import type { Compared, Comparison, Part } from "../../../../bench/open/compare/compare.ts"
import { page } from "../../../../bench/open/report/page.tsx"

const compared: Compared = {
  measure: "Brier score",
  unit: "",
  better: "lower",
  rows: 1_200,
  clusters: 40,
  scores: [
    { contender: "own", value: 0.2, low: 0.19, high: 0.21, standardError: 0.005 },
    { contender: "market", value: 0.25, low: 0.24, high: 0.26, standardError: 0.005 },
  ],
  differences: [
    { of: "own", minus: "market", value: -0.05, low: -0.06, high: -0.04, standardError: 0.005, better: "own" },
  ],
}

const part = (group: string, more: Partial<Part> = {}): Part => ({
  group,
  cases: 1_300,
  measures: [compared],
  reliability: [],
  transforms: [],
  ...more,
})

const comparison = (...parts: ReadonlyArray<Part>): Comparison => ({
  lane: "weather",
  event: "it rained",
  inputs: [{ name: "days.csv", sha256: "abc", rows: 5_000 }],
  bootstrap: { seed: 7, replicates: 999, level: 0.95 },
  contenders: [
    { kind: "own", name: "own", version: "2", answered: 1_300 },
    { kind: "market", name: "market", answered: 1_250 },
  ],
  cases: 1_300,
  parts,
})

const cellsOf = (html: string, caption: string) => {
  const [, table = ""] = new RegExp(`<caption>${caption}.*?</caption>(.*?)</table>`, "s").exec(html) ?? []
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!),
  )
}

describe("the report of a comparison", () => {
  it("names the lane and the contenders, and how to repeat it", () => {
    const html = page(comparison(part("all")), "npm run bench -- <weather>")
    assert.include(html, "<title>Bench of weather: own and 1 others</title>")
    assert.include(html, "<pre>npm run bench -- &lt;weather></pre>")
    assert.include(html, "999 rounds, seed 7.")
    assert.deepStrictEqual(cellsOf(html, "Forecasters").slice(1), [
      ["own", "own", "2", "1,300"],
      ["market", "market", "", "1,250"],
    ])
    assert.deepStrictEqual(cellsOf(html, "Files").slice(1), [["days.csv", "5,000", "<code>abc</code>"]])
  })

  it("needs nothing from elsewhere", () => {
    const html = page(comparison(part("all")), "x")
    assert.notMatch(html, /<script|<link|src=|https?:/)
  })

  it("has the scores of each contender, and the difference of the first from each other", () => {
    const html = page(comparison(part("all")), "x")
    assert.include(html, "<caption>Brier score: 1,200 rows in 40 clusters, lower is better</caption>")
    assert.deepStrictEqual(cellsOf(html, "Brier score: 1,200").slice(1), [
      ["own", "0.2000", "0.1900 … 0.2100", "", "", ""],
      ["market", "0.2500", "0.2400 … 0.2600", "−0.0500", "−0.0600 … −0.0400", "better"],
    ])
    assert.include(html, "<figcaption>Brier score: own minus each other</figcaption>")
  })

  it("names the unit of a score that has one", () => {
    const html = page(comparison(part("all", { measures: [{ ...compared, unit: "°F" }] })), "x")
    assert.include(html, "<caption>Brier score, °F: 1,200 rows")
    assert.include(html, "<figcaption>Brier score, °F: own minus")
  })

  it("leaves out parts without cases, scores of nobody, and pictures of nothing", () => {
    const html = page(
      comparison(
        part("some", { measures: [{ ...compared, scores: [], differences: [] }] }),
        part("empty", { cases: 0 }),
      ),
      "x",
    )
    assert.include(html, "<h2>some</h2><p>1,300 questions</p>")
    assert.notInclude(html, "<h2>empty</h2>")
    assert.notInclude(html, "<caption>Brier score")
    assert.notInclude(html, "<figure>")
    const bins = [{ count: 1, meanProbability: 0.5, frequency: 1 }]
    const reliability = [{ contender: "own", forecasts: 1, ece: 0.5, bins }]
    assert.include(page(comparison(part("a", { reliability })), "x"), "<figcaption>Reliability: it rained</figcaption>")
  })
})

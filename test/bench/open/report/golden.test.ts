import { assert, it } from "@effect/vitest"
import type { Comparison, Difference, Part } from "../../../../bench/open/compare/compare.ts"
import { page } from "../../../../bench/open/report/page.tsx"
import { differencesPicture, reliabilityPicture } from "../../../../bench/open/report/pictures.tsx"
import { digest } from "../../../support/digest.ts"

const difference = (minus: string, value: number, better?: string): Difference => ({
  ...{ of: "own", minus, value, low: value - 0.01, high: value + 0.02, standardError: 0.005, better },
})
const names = ["own", "market", "home constant", "a", "b"]
const part: Part = {
  group: "all",
  cases: 1_300,
  measures: [
    {
      ...{ measure: "Brier score", unit: "", better: "lower", rows: 1_200, clusters: 40 },
      scores: names.map((contender, at) => ({
        contender,
        value: 0.2 + at / 50,
        low: 0.19,
        high: 0.3,
        standardError: 0.01,
      })),
      differences: [
        difference("market", -0.05, "own"),
        difference("home constant", 0.03),
        difference("a", 0.9),
        difference("b", Number.NaN),
      ],
    },
  ],
  reliability: names.map((contender, at) => ({
    ...{ contender, forecasts: 1_234 * (at + 1), ece: 0.02 * at },
    bins: [
      { count: 24, meanProbability: 0.1, frequency: 0.2 },
      { count: 25, meanProbability: 0.35, frequency: 0.3 },
      { count: 0, meanProbability: Number.NaN, frequency: Number.NaN },
      { count: 300, meanProbability: 0.8, frequency: 0.75 + at / 50 },
    ],
  })),
}
const comparison: Comparison = {
  lane: "weather",
  event: "it rained",
  inputs: [],
  bootstrap: { seed: 7, replicates: 999, level: 0.95 },
  contenders: names.map((name) => ({ kind: "own", name, answered: 1_300 })),
  cases: 1_300,
  parts: [part],
}

// Where things stand in a picture is looked at by eye, once, in a report of `bench run`.
it("a report draws the same of the same comparison", () => {
  const html = page(comparison, "bench")
  assert.deepStrictEqual(
    {
      charts: [...html.matchAll(/<svg .*?<\/svg>/gs)].map(([svg]) => digest(svg)),
      tables: digest([...html.matchAll(/<table>.*?<\/table>/gs)].map(([table]) => table)),
      reliability: digest(reliabilityPicture("Bench", "it rained", [part, { ...part, group: "other" }])),
      differences: digest(differencesPicture("Bench", "own", [part, { ...part, group: "other" }])),
    },
    {
      charts: ["b57b15c9", "a27a3f4e"],
      differences: "62fccc50",
      reliability: "8df641ea",
      tables: "b846b50a",
    },
  )
})

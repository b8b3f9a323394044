import { assert, describe, it } from "@effect/vitest"
import { renderToStaticMarkup } from "preact-render-to-string"
import { plot } from "../../../../adapters/web/view/plot.tsx"
import type { Calibration, Difference, Part } from "../../../../bench/open/compare/compare.ts"
import {
  differences,
  differencesPicture,
  reliability,
  reliabilityPicture,
} from "../../../../bench/open/report/pictures.tsx"

const difference = (value: number, minus = "market"): Difference => ({
  of: "own",
  minus,
  value,
  low: value - 0.01,
  high: value + 0.01,
  standardError: 0.005,
  better: undefined,
})

const calibration = (contender: string): Calibration => ({
  contender,
  forecasts: 1_234,
  ece: 0.0213,
  bins: [
    { count: 30, meanProbability: 0.1, frequency: 0.2 },
    { count: 0, meanProbability: Number.NaN, frequency: Number.NaN },
  ],
})

const part = (group: string, more: Partial<Part> = {}): Part => ({
  group,
  cases: 10,
  measures: [
    {
      measure: "Brier score",
      unit: "",
      better: "lower",
      rows: 10,
      clusters: 5,
      scores: [],
      differences: [difference(0.02)],
    },
  ],
  reliability: [calibration("own")],
  transforms: [],
  ...more,
})

describe("the picture of reliability", () => {
  it("names each contender with its error, and has no mark for an empty bin", () => {
    const all = [calibration("own"), calibration("market")]
    const html = renderToStaticMarkup(plot(reliability(all, "it rained")))
    assert.include(
      html,
      'aria-label="Reliability: share in which it rained over the probability given, for own, market."',
    )
    assert.include(html, "own, error 0.0213, 1,234 forecasts")
    assert.lengthOf(html.match(/class="dot /g)!, 2)
    assert.include(html, ">20 % of 30<")
    assert.notInclude(html, "NaN")
  })

  it("draws the first one last, on top, in a colour and a mark of its own", () => {
    const all = [calibration("own"), calibration("market")]
    const html = renderToStaticMarkup(plot(reliability(all, "it rained")))
    assert.isAbove(html.lastIndexOf("dot who0"), html.lastIndexOf("dot who1"))
    assert.match(html, /class="dot who0" d="[^"]*a4 4/)
    assert.match(html, /class="dot who1" d="[^"]*h7v7/)
  })

  it("uses the first mark again for the seventh contender", () => {
    const all = Array.from({ length: 7 }, (_, at) => calibration(`c${at}`))
    assert.notInclude(renderToStaticMarkup(plot(reliability(all, "x"))), "who6")
  })
})

const drawn = (rows: ReadonlyArray<Difference>, better: "lower" | "higher" = "lower") =>
  renderToStaticMarkup(plot(differences("own", "Brier score", better, rows)))

describe("the picture of differences", () => {
  it("says in words what it shows", () => {
    const html = drawn([difference(0.02), difference(-0.3, "climate")])
    assert.include(html, 'aria-label="Brier score, own minus each other, with 95 % intervals."')
    assert.match(html, />market<\/th><td[^>]*>\+0.0200<\/td><td[^>]*>0.0100 … 0.0300</)
    assert.match(html, />climate<\/th><td[^>]*>−0.3000</)
  })

  it("has the better side on the left where lower is better, else on the right", () => {
    assert.match(drawn([difference(0)]), /← better[\s\S]*worse →/)
    assert.match(drawn([difference(0)], "higher"), /← worse[\s\S]*better →/)
  })

  it("is not drawn to the scale of one far worse forecaster", () => {
    const near = [difference(0.1), difference(0.1, "b")]
    const ends = (rows: ReadonlyArray<Difference>) =>
      [...drawn(rows).matchAll(/class="rule who0" x1="([\d.]+)%"/g)][0]?.[1]
    assert.strictEqual(ends([...near, difference(100, "c")]), ends(near))
    assert.include(drawn([...near, difference(100, "c")]), "beyond the axis →")
    assert.notStrictEqual(ends([...near, difference(0.5, "c")]), ends(near))
  })
})

describe("a picture of all parts", () => {
  const panels = (svg: string) =>
    [...svg.matchAll(/transform="translate\((\d+) (\d+)\)"><text class="title"/g)].map(([, x, y]) => [x, y])

  it("has a panel for each part that has cases and something to draw, in rows of three", () => {
    const parts = [
      part("a"),
      part("b"),
      part("empty", { cases: 0 }),
      part("c"),
      part("none", { reliability: [] }),
      part("d"),
    ]
    const svg = reliabilityPicture("A title", "it rained", parts)
    assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[\s\S]*<\/svg>\n$/)
    const at = panels(svg)
    assert.lengthOf(at, 4)
    assert.deepStrictEqual(at[0], ["24", "70"])
    assert.strictEqual(at[3]![0], at[0]![0])
    assert.strictEqual(at[2]![1], at[0]![1])
    assert.notStrictEqual(at[3]![1], at[0]![1])
    assert.include(svg, '<text class="title" x="24" y="32">A title</text>')
  })

  it("of differences has one for each score with some, by group and score", () => {
    const [measure] = part("a").measures
    const measures = [measure!, { ...measure!, measure: "Log score", differences: [] }]
    const svg = differencesPicture("A title", "own", [part("weather", { measures })])
    assert.lengthOf(panels(svg), 1)
    assert.include(svg, '<text class="title">weather: Brier score</text>')
  })

  it("without parts is a title alone", () => {
    assert.lengthOf(panels(differencesPicture("A title", "own", [])), 0)
  })
})

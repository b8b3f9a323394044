import { assert, describe, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import { percent } from "../../../../adapters/web/pictures/frame.ts"
import { Drawing, pictureOf, strikesOf } from "../../../../adapters/web/pictures/pictures.tsx"

const drawn = (id: string, results: unknown, more: object = {}): string => {
  const picture = pictureOf(id, { params: { station: "KNYC" }, results, ...more })
  assert.isDefined(picture)
  return renderToString(Drawing(picture!))
}

describe("a probability in words", () => {
  it.each([
    [0, "0 %"],
    [0.0004, "< 0.1 %"],
    [0.0123, "1.2 %"],
    [0.314, "31 %"],
    [0.957, "95.7 %"],
    [0.9996, "> 99.9 %"],
    [1, "100 %"],
  ])("%f is %s", (p, text) => {
    assert.strictEqual(percent(p), text)
  })
})

const pmf = { 47: 0.1, 48: 0.2, 49: 0.4, 50: 0.2, 51: 0.1, 52: 0.0001 }
const signal = { target_day: "2026-11-26", probabilities: { pmf } }

const contract = (market: string, strikes: object) => ({
  ...{ venue: "mock", market, title: `High: ${market}`, instrument: "KNYC", status: "open" },
  ...{ close_time: "2026-11-27T04:59:00.000Z", ...strikes },
})
const point = (market: string, at: string, model_prob: number, market_prob?: number) => ({
  ...{ market, at, model_prob },
  ...(market_prob === undefined ? {} : { market_prob }),
})
const history = {
  contracts: [
    contract("B48.5", { strike_type: "between", floor_strike: 48, cap_strike: 49 }),
    contract("T47", { strike_type: "less", cap_strike: 48 }),
    contract("T50", { strike_type: "greater", floor_strike: 49 }),
    contract("odd", { strike_type: "custom" }),
  ],
  points: [
    point("B48.5", "2026-11-26T15:00:00.000Z", 0.5, 0.4),
    point("B48.5", "2026-11-26T16:00:00.000Z", 0.6, 0.55),
    point("T47", "2026-11-26T16:00:00.000Z", 0.1),
    point("T50", "2026-11-26T16:00:00.000Z", 0.3, 0.35),
  ],
}

describe("the picture of a temperature", () => {
  it("has the degrees that matter, each with its probability", () => {
    const html = drawn("weather_signal", signal)
    assert.include(html, "<title>49 °F: 40 %</title>")
    assert.notInclude(html, "52 °F")
  })

  it("has the contracts on the same axis, each with its last capture, and the reading so far", () => {
    const strikes = strikesOf(history as never)
    assert.deepStrictEqual(
      strikes.map(({ low, high, model, market }) => [low, high, model, market]),
      [
        [Number.NEGATIVE_INFINITY, 47, 0.1, undefined],
        [48, 49, 0.6, 0.55],
        [50, Number.POSITIVE_INFINITY, 0.3, 0.35],
      ],
    )
    const html = drawn("weather_signal", signal, {
      strikes,
      reasoning: ["Conditioned: running high 48 °F, running low 42 °F."],
    })
    assert.include(html, "<title>High: B48.5: model 60 %, market 55 %</title>")
    assert.include(html, "<title>High: T47: model 10 %</title>")
    assert.include(html, "48 °F so far")
    assert.strictEqual(html.match(/class="price"/g)?.length, 2)
    // A contract over 48 and 49 is two degrees wide: from the left of its first to the right of its last one.
    const boxes = [...html.matchAll(/class="range" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(([, x, w]) => [
      Number(x),
      Number(w),
    ])
    const bars = [...html.matchAll(/class="bin" x="([\d.]+)"/g)].map(([, x]) => Number(x))
    assert.isTrue(boxes[1]![0]! < bars[1]! && boxes[1]![0]! + boxes[1]![1]! > bars[2]! && boxes[1]![0]! > bars[0]!)
  })
})

describe("the picture of a line", () => {
  const results = (points: ReadonlyArray<number>, home_margin: number) => ({
    game: { home_team: "GB", away_team: "KC", gameday: "2026-11-30" },
    prediction: {
      fair_line: { home_margin },
      market: { spread_line: -6.5 },
      drivers: points.map((value, at) => ({ feature: `part_${at}`, points: value })),
    },
  })

  it("has parts that add up to the margin, those that are not named as one", () => {
    const html = drawn("nfl_fair_line", results([3, -1], 4))
    assert.include(html, "<title>part 0: +3.0</title>")
    assert.include(html, "<title>all others: +2.0</title>")
    assert.include(html, "<title>expected margin: +4.0</title>")
    assert.include(html, "<title>the posted line: −6.5</title>")
  })

  it("names no rest where the parts are all, but for their rounding", () => {
    assert.notInclude(drawn("nfl_fair_line", results([3, -1, 0.005], 2.01)), "all others")
  })
})

describe("pictures", () => {
  it("are of the contract with most captures, and need two of them", () => {
    assert.include(drawn("markets_history", history), "High: B48.5: model and market over time")
    const few = { ...history, points: history.points.slice(2) }
    assert.isUndefined(pictureOf("markets_history", { params: {}, results: few }))
  })

  it("are not of endpoints whose answers are read, and not of empty answers", () => {
    assert.isUndefined(pictureOf("weather_stations", { params: {}, results: { stations: [] } }))
    assert.isUndefined(pictureOf("markets_edge", { params: {}, results: { edges: [] } }))
    assert.isUndefined(pictureOf("weather_settlement_history", { params: {}, results: { days: [] } }))
  })

  it("cut long names, and names of emoji stay whole letters", () => {
    const edges = [
      { title: "🌩️".repeat(64), model_prob: 0.3, market_prob: 0.2, pooled_prob: 0.24, expected_gain: 0.018 },
    ]
    const html = drawn("markets_edge", { edges })
    assert.notInclude(html, "\uFFFD")
    assert.include(html, "…")
    assert.match(html, /30 %<\/td><td[^>]*>20 %<\/td><td[^>]*>24 %<\/td><td[^>]*>\+1\.8 ¢/)
  })
})

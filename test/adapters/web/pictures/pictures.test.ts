import { assert, describe, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import { pictureOf, strikesOf } from "../../../../adapters/web/pictures/pictures.ts"
import { plot } from "../../../../adapters/web/view/plot.tsx"

const drawn = (id: string, results: unknown, more: object = {}): string => {
  const picture = pictureOf(id, { params: { station: "KNYC" }, results, ...more })
  assert.isDefined(picture)
  return renderToString(plot(picture!))
}

const pmf = { 47: 0.1, 48: 0.2, 49: 0.4, 50: 0.2, 51: 0.1, 52: 0.0001 }
const signal = { target_day: "2026-11-26", probabilities: { pmf } }

const contract = (market: string, strikes: object) => ({
  ...{ venue: "mock", market, title: `High: ${market}`, instrument: "KNYC", status: "open" },
  ...{ close_time: "2026-11-27T04:59:00.000Z", ...strikes },
})
const point = (market: string, captured_at: string, model_prob: number, market_prob?: number) => ({
  ...{ market, captured_at, model_prob },
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
    assert.match(html, />49 °F<\/th><td[^>]*>40 %</)
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
    const row = (degrees: number, ...cells: ReadonlyArray<string>) =>
      `>${degrees} °F</th>${cells.map((cell, at) => `<td class="${["number", "wide", "number wide", "number", "number wide"][at]}">${cell}</td>`).join("")}`
    assert.include(html, row(48, "20 %", "48 to 49 °F", "60 %", "55 %", "+5"))
    assert.include(html, row(47, "10 %", "47 °F or less", "10 %", "–", "–"))
    assert.include(html, row(51, "10 %", "50 °F or more", "30 %", "35 %", "−5"))
    assert.include(html, '<span class="key of-rule official">48 °F so far</span>')
    // The contract with the largest difference is named.
    assert.include(html, ">50 °F or more: 30 %</text>")
    assert.strictEqual(html.match(/class="line market price"/g)?.length, 2)
    // A contract over 48 and 49 is two degrees wide: from the left of its first to the right of its last one.
    const places = [...html.matchAll(/<tr data-at="([\d.]+)%">/g)].map(([, at]) => Number(at))
    const boxes = [...html.matchAll(/class="area model" d="M([\d.]+) [\d.]+L([\d.]+)/g)]
    const [from, to] = boxes[1]!.slice(1).map((at) => Number(at) / 10)
    assert.isTrue(places[0]! < from! && from! < places[1]! && places[2]! < to! && to! < places[3]!)
  })
})

describe("the picture of a line", () => {
  const results = (points: ReadonlyArray<number>, home_margin: number) => ({
    game: { home_team: "GB", away_team: "KC", gameday: "2026-11-30" },
    prediction: {
      fair_line: { home_margin, win_prob_home: 0.61 },
      market: { spread_line: -6.5 },
      drivers: points.map((value, at) => ({ feature: `part_${at}`, points: value })),
    },
  })

  it("has parts that add up to the margin, those that are not named as one", () => {
    const html = drawn("nfl_fair_line", results([3, -1], 4))
    const row = (name: string, points: string) => `<th scope="row">${name}</th><td class="number">${points}</td>`
    assert.include(html, row("part 0", "+3.0"))
    assert.include(html, row("all others", "+2.0"))
    assert.include(html, row("Our line, Packers 61 %", "by 4.0"))
    assert.include(html, row("Posted line, Chiefs", "by 6.5"))
    assert.include(html, row("even game", "50 %"))
    assert.match(
      html,
      /<span class="key of-bar model">towards Packers<\/span><span class="key of-bar less">towards Chiefs</,
    )
    // The market is a hollow square, drawn last.
    assert.match(html, /dot market hollow" d="M-3.5-3.5h7v7h-7z"><\/path><\/svg><text/)
    // Each bar begins where the one before it ends, and the sum begins at 0.
    const bars = [...html.matchAll(/<rect class="(?:model|less|market)" x="([\d.]+)%" width="([\d.]+)%" y="(\d+)"/g)]
      .toSorted(([, , , one], [, , , other]) => Number(one) - Number(other))
      .map(([, x, wide]) => [Number(x), Number(x) + Number(wide)])
      .slice(1)
    assert.approximately(bars[0]![1]!, bars[1]![1]!, 0.02)
    assert.approximately(bars[1]![0]!, bars[2]![0]!, 0.02)
    assert.approximately(bars[3]![0]!, bars[0]![0]!, 0.02)
  })

  it("adds parts that would be written as 0 to the rest", () => {
    const html = drawn("nfl_fair_line", results([3, 0.04, 0.04], 3.08))
    assert.notInclude(html, "part 1")
    assert.match(html, />all others<\/th><td[^>]*>\+0\.1</)
  })

  it("names no rest where the parts are all, but for their rounding", () => {
    assert.notInclude(drawn("nfl_fair_line", results([3, -1, 0.005], 2.01)), "all others")
  })
})

describe("pictures", () => {
  it("are of the contract with most captures, and need two of them", () => {
    assert.include(drawn("markets_history", history), "High: B48.5: model and market over time")
    // The lines are named at their ends, in place of a key.
    assert.match(drawn("markets_history", history), /<p class="keys"><\/p>.*class="model"[^>]*>We \d+ %<\/text>/)
    const few = { ...history, points: history.points.slice(2) }
    assert.isUndefined(pictureOf("markets_history", { params: {}, results: few }))
  })

  it("are not of endpoints whose answers are read, and not of empty answers", () => {
    assert.isUndefined(pictureOf("weather_stations", { params: {}, results: { stations: [] } }))
    assert.isUndefined(pictureOf("weather_settlement_history", { params: {}, results: { days: [] } }))
  })
})

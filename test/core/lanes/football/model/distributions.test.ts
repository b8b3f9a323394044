import { assert, describe, it } from "@effect/vitest"
import { fitBlend, marginWeights, type Predicted } from "../../../../../bench/open/train/footballBlend.ts"
import { againstClose, beatsLine } from "../../../../../bench/open/train/footballScores.ts"
import { makeMarginDistribution, maxMargin } from "../../../../../core/lanes/football/model/distributions.ts"
import { parameters } from "../../../../../core/lanes/football/model/parameters.ts"
import { scoreForecast } from "../../../../../core/lanes/football/model/score.ts"
import * as normal from "../../../../../core/math/normal.ts"

/** As if no margin but 3 and 7 were frequent. */
const weights = Array.from({ length: maxMargin + 1 }, (_, k) => (k === 3 ? 2.6 : k === 7 ? 1.7 : k === 0 ? 0.2 : 0.9))
const means = [-60, -31.4, -14, -3, -2.2, -0.01, 0, 0.4, 2.5, 6.9, 22, 60]

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, value) => total + value, 0)

describe("marginDistribution", () => {
  it("is a distribution whose winners are the normal's", () => {
    for (const mean of means) {
      const { pmf, winHome } = makeMarginDistribution(mean, 13, weights)
      assert.approximately(sum(pmf), 1, 1e-12)
      assert.isTrue(pmf.every((p) => p > 0))
      assert.strictEqual(winHome, normal.cdf(mean / 13))
      assert.approximately(sum(pmf.slice(maxMargin + 1)) + pmf[maxMargin]! / 2, winHome, 1e-12)
    }
  })

  it("mirrors when the teams change sides", () => {
    for (const mean of means) {
      const one = makeMarginDistribution(mean, 13, weights).pmf
      const other = makeMarginDistribution(-mean, 13, weights).pmf
      one.forEach((p, at) => {
        assert.approximately(p, other[2 * maxMargin - at]!, 1e-14)
      })
    }
  })

  it("has the same proportions of weight and bell on each side of a tie", () => {
    const { pmf } = makeMarginDistribution(4.5, 13, weights)
    const bell = (k: number) => Math.exp(-((k - 4.5) ** 2) / (2 * 169))
    for (const [k, other] of [
      [3, 1],
      [7, 20],
      [-3, -10],
    ] as const) {
      const expected = (weights[Math.abs(k)]! * bell(k)) / (weights[Math.abs(other)]! * bell(other))
      assert.approximately(pmf[maxMargin + k]! / pmf[maxMargin + other]!, expected, 1e-12)
    }
  })

  it("draws the median to key numbers", () => {
    const medians = (of: ReadonlyArray<number>) =>
      [-3.4, 2.2, 3, 3.6].map((mean) => makeMarginDistribution(mean, 13, of).median)
    assert.deepStrictEqual(medians([]), [-3, 2, 3, 4])
    assert.deepStrictEqual(medians(weights), [-3, 3, 3, 3])
    for (const mean of means.slice(1, -1)) {
      const { pmf, median } = makeMarginDistribution(mean, 13, weights)
      assert.isAtLeast(sum(pmf.slice(0, maxMargin + median + 1)), 0.5)
      assert.isBelow(sum(pmf.slice(0, maxMargin + median)), 0.5)
    }
  })
})

describe("marginWeights", () => {
  it("is (count + prior) / (expected + prior)", () => {
    const outcome = { mean: 0, sigma: 13, margin: 3 }
    const bell = (k: number) => Math.exp(-(k * k) / 338)
    const all = sum(Array.from({ length: 2 * maxMargin + 1 }, (_, at) => bell(at - maxMargin)))
    const fitted = marginWeights(new Array(50).fill(outcome), 8)
    assert.strictEqual(fitted.length, maxMargin + 1)
    assert.approximately(fitted[3]!, 58 / ((50 * 2 * bell(3)) / all + 8), 1e-6)
    assert.approximately(fitted[0]!, 8 / (50 / all + 8), 1e-6)
  })

  it("is 1 where nothing was seen, and counts a rout as the widest margin", () => {
    assert.deepStrictEqual([...new Set(marginWeights([], 8))], [1])
    assert.isAbove(marginWeights([{ mean: 0, sigma: 13, margin: -73 }], 8)[maxMargin]!, 1.1)
  })
})

describe("linkOf", () => {
  const game = (season: number, k: number): Predicted => {
    const [kalman, elo] = [18 * Math.sin(k), 15 * Math.cos(7 * k)]
    const margin = Math.round(0.8 * kalman + 0.3 * elo)
    const total = { mean: 44, sigma: 13, points: 44 + (k % 2 === 0 ? 10 : -10) }
    return { season, kalman, elo, blend: kalman, sigma: 13, margin, total }
  }
  const history = [2001, 2002, 2003, 2004].flatMap((season) =>
    Array.from({ length: 100 }, (_, k) => game(season, 1000 * (season - 2000) + k)),
  )

  it("finds the weights of both members from earlier seasons", () => {
    const link = fitBlend(2005, history, parameters)
    assert.strictEqual(link.games, 400)
    assert.approximately(link.kalman, 0.8, 0.02)
    assert.approximately(link.elo, 0.3, 0.02)
    // Rounding to whole points leaves a uniform error.
    assert.approximately(link.sigma, Math.sqrt(1 / 12), 0.03)
  })

  it("does not look at its own season and later, nor back beyond its window", () => {
    const link = fitBlend(2004, history, parameters)
    assert.strictEqual(link.games, 300)
    const changed = history.map((one) => (one.season >= 2004 ? { ...one, margin: 40 } : one))
    assert.deepStrictEqual(fitBlend(2004, changed, parameters), link)
    assert.strictEqual(fitBlend(2012, history, parameters).games, 300)
  })

  it("is the filter alone while there are too few seasons", () => {
    const { games, kalman, elo, sigma, weights: none } = fitBlend(2003, history, parameters)
    assert.deepStrictEqual([games, kalman, elo, sigma, none], [0, 1, 0, parameters.link.sigma, []])
  })
})

describe("scoreOf", () => {
  it("scores margin, total, winner and probability", () => {
    const forecast = { homeMargin: 3, total: 44, winHome: 0.6 }
    assert.deepStrictEqual(scoreForecast(forecast, { home: 27, away: 20 }), {
      marginError: 4,
      totalError: 3,
      winner: 1,
      brier: 0.4 * 0.4,
    })
    assert.deepStrictEqual(scoreForecast({ homeMargin: -1 }, { home: 27, away: 20 }), { marginError: 8, winner: 0 })
    assert.strictEqual(scoreForecast({ homeMargin: 0 }, { home: 27, away: 20 }).winner, 0.5)
    assert.deepStrictEqual(scoreForecast(forecast, { home: 20, away: 20 }), { marginError: -3, totalError: -4 })
  })

  it("knows the worth of a point of edge, and the bets by its size", () => {
    // Twenty weeks of two games: the result goes beyond the close by half of what the model does, and one game pushes.
    const games = Array.from({ length: 40 }, (_, at) => {
      const [edge, week] = [at % 2 === 0 ? 4 : -2, 1 + Math.floor(at / 2)]
      const margin = at === 0 ? 3 : 3 + edge / 2
      return {
        game: { id: `g${at}`, season: 2024, week, score: { home: 20 + margin, away: 20 } },
        line: { homeMargin: 3 + edge, total: 45 },
      }
    }) as unknown as Parameters<typeof againstClose>[0]
    const lines = new Map(games.map(({ game }) => [game.id, { spread: 3, total: 44 }]))
    const { slope, by_edge } = againstClose(games, lines)
    assert.closeTo(slope.value, (0.5 * (19 * 16 + 20 * 4)) / (20 * 16 + 20 * 4), 1e-12)
    assert.isTrue(slope.low < slope.value && slope.value <= 0.5)
    assert.deepStrictEqual(
      by_edge.map(({ from, to, wins, losses, pushes }) => [from, to, wins, losses, pushes]),
      [
        [2, 3, 20, 0, 0],
        [3, 5, 19, 0, 1],
      ],
    )
  })

  it("knows who beat a line, and a push", () => {
    const cases = [
      [5, 3, 7, true],
      [5, 3, 2, false],
      [1, 3, 2, true],
      [1, 3, 7, false],
      [5, 3, 3, undefined],
      [3, 3, 7, undefined],
    ] as const
    for (const [fair, line, outcome, expected] of cases) assert.strictEqual(beatsLine(fair, line, outcome), expected)
  })
})

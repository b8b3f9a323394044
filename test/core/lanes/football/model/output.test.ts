import { assert, describe, it } from "@effect/vitest"
import { toDistributions, toDrivers, toLine, toOutput } from "../../../../../core/lanes/football/model/output.ts"

const line: Parameters<typeof toOutput>[0] = {
  homeMargin: 3.21987,
  spread: -3.21987,
  total: 44.4449,
  winProbHome: 0.61234567,
  winProbAway: 0.38765433,
  sigmaMargin: 13.0049,
  medianMargin: 3,
  sigmaTotal: 13.126,
  drivers: [
    { feature: "home_offense", points: 2.005001 },
    { feature: "elo_gap", points: -1.234567 },
  ],
  formGamesUsed: { home: 3, away: 3 },
  starters: { home: { assumed: true }, away: { assumed: true } },
  members: { kalman: 3, elo: 4 },
}

const meanOf = ({ from, pmf }: { readonly from: number; readonly pmf: ReadonlyArray<number> }): number =>
  pmf.reduce((sum, p, at) => sum + p * (from + at), 0)

describe("a line as it is served", () => {
  it("has points of two decimals and probabilities of six", () => {
    assert.deepStrictEqual(toLine(line), {
      home_margin: 3.22,
      spread: -3.22,
      total: 44.44,
      win_prob_home: 0.612346,
      win_prob_away: 0.387654,
      sigma_margin: 13,
      median_margin: 3,
      sigma_total: 13.13,
    })
    assert.deepStrictEqual(toDrivers(line), [
      { feature: "home_offense", points: 2.01 },
      { feature: "elo_gap", points: -1.23 },
    ])
  })

  it("has distributions about its numbers, without probabilities of 0 at their ends", () => {
    const { margin_distribution: margin, total_distribution: total } = toDistributions(line, 2024)
    for (const { from, pmf } of [margin, total]) {
      assert.isAbove(pmf[0]!, 0)
      assert.isAbove(pmf.at(-1)!, 0)
      assert.approximately(
        pmf.reduce((sum, p) => sum + p, 0),
        1,
        1e-6,
      )
      assert.isTrue(Number.isInteger(from))
    }
    assert.isAtLeast(margin.from, -60)
    assert.isAtLeast(total.from, 0)
    assert.approximately(meanOf(margin), 3.21987, 1)
    assert.approximately(meanOf(total), 44.4449, 1)
  })

  it("drops the numbers that a narrow law thinks impossible", () => {
    const narrow = { ...line, sigmaMargin: 1, sigmaTotal: 1 }
    const { margin_distribution: margin, total_distribution: total } = toDistributions(narrow, 2024)
    assert.isAbove(margin.from, -10)
    assert.isBelow(margin.from + margin.pmf.length, 20)
    assert.isAbove(total.from, 30)
  })

  it("is recorded whole", () => {
    assert.deepStrictEqual(toOutput(line, 2024), {
      ...toLine(line),
      ...toDistributions(line, 2024),
      drivers: toDrivers(line),
    })
  })
})

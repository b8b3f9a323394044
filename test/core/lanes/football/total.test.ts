import { assert, describe, it } from "@effect/vitest"
import { totalWeights } from "../../../../bench/open/train/footballBlend.ts"
import { makeTotalDistribution, maxTotal } from "../../../../core/lanes/football/model/distributions.ts"

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, value) => total + value, 0)
const meanOf = (pmf: Float64Array): number => pmf.reduce((total, p, points) => total + p * points, 0)

/** As if games ended on 41 and 51 more often, and on 42 less. */
const weights = Array.from({ length: maxTotal + 1 }, (_, n) => (n === 41 || n === 51 ? 1.6 : n === 42 ? 0.4 : 1))

describe("the distribution of totals", () => {
  for (const mean of [25, 36.4, 44, 47.5, 61]) {
    it(`around ${mean} sums to 1 and has the given mean`, () => {
      for (const of of [[], weights]) {
        const pmf = makeTotalDistribution(mean, 13.5, of)
        assert.strictEqual(pmf.length, maxTotal + 1)
        assert.approximately(sum(pmf), 1, 1e-12)
        assert.approximately(meanOf(pmf), mean, 1e-8)
        assert.isTrue(pmf.every((p) => p > 0))
      }
    })
  }

  it("is a bell at whole numbers without weights, and has the weights in its neighbours", () => {
    const plain = makeTotalDistribution(44, 13.5, [])
    assert.approximately(plain[44]! / plain[57]!, Math.exp(13 ** 2 / (2 * 13.5 ** 2)), 1e-2)
    assert.approximately(plain[44]!, 1 / (13.5 * Math.sqrt(2 * Math.PI)), 1e-4)
    const weighted = makeTotalDistribution(44, 13.5, weights)
    assert.approximately(weighted[41]! / weighted[42]! / (plain[41]! / plain[42]!), 4, 0.02)
  })
})

describe("totalWeights", () => {
  it("is (count + prior) / (expected + prior)", () => {
    const outcome = { mean: 44, sigma: 13.5, points: 51 }
    const fitted = totalWeights(new Array(50).fill(outcome), 8)
    const expected = makeTotalDistribution(44, 13.5, [])
    assert.strictEqual(fitted.length, maxTotal + 1)
    assert.approximately(fitted[51]!, 58 / (50 * expected[51]! + 8), 1e-3)
    assert.approximately(fitted[41]!, 8 / (50 * expected[41]! + 8), 1e-3)
  })

  it("is 1 where nothing was seen, and counts more than there is as the most", () => {
    assert.deepStrictEqual([...new Set(totalWeights([], 8))], [1])
    assert.isAbove(totalWeights([{ mean: 44, sigma: 13.5, points: 131 }], 8)[maxTotal]!, 1.1)
  })
})

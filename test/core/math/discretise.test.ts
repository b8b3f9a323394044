import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { discretise, located, windowOf } from "../../../core/math/discretise.ts"
import * as normal from "../../../core/math/normal.ts"
import * as studentT from "../../../core/math/studentT.ts"

const eight = studentT.make(8)
const degrees = (mu: number, sigma: number) => {
  const { first, last } = windowOf(mu, sigma)
  return discretise(located(eight, mu, sigma * Math.sqrt(6 / 8)), mu, first, last)
}
const mus = fc.double({ min: -60, max: 130, noNaN: true })
const sigmas = fc.double({ min: 0, max: 12, noNaN: true })

describe("discretise", () => {
  it("gives each whole number the probability of rounding to it", () => {
    const { first, pmf, ge } = degrees(84.2, 2.3)
    const { cdf, sf } = located(eight, 84.2, 2.3 * Math.sqrt(6 / 8))
    assert.deepStrictEqual([first, pmf.length], [64, 41])
    for (const k of [70, 80, 84, 85, 90, 100]) {
      assert.approximately(pmf[k - first]!, cdf(k + 0.5) - cdf(k - 0.5), 2e-16)
      assert.approximately(ge[k - first]!, sf(k - 0.5), 2e-16)
    }
  })

  it("takes small probabilities of either tail from that tail", () => {
    const { first, pmf, ge } = discretise(normal, 0, -30, 30)
    const thirty = normal.cdf(-29.5)
    assert.strictEqual(pmf[0], thirty)
    assert.strictEqual(pmf[60], thirty)
    assert.strictEqual(ge[30 - first], thirty)
    assert.approximately(pmf[20 - first]! / (normal.sf(19.5) - normal.sf(20.5)), 1, 1e-15)
    assert.approximately(pmf[-20 - first]! / pmf[20 - first]!, 1, 1e-15)
  })

  it("sums to 1, and ge is the sum from there on, 1 at the start, never rising", () => {
    fc.assert(
      fc.property(mus, sigmas, (mu, sigma) => {
        const { pmf, ge } = degrees(mu, sigma)
        assert.strictEqual(ge[0], 1)
        let sum = 0
        for (let k = pmf.length - 1; k >= 0; k--) {
          sum += pmf[k]!
          assert.approximately(sum, ge[k]!, 1e-12)
          assert.isAtLeast(pmf[k]!, 0)
          if (k > 0) assert.isAtMost(ge[k]!, ge[k - 1]!)
        }
        assert.approximately(sum, 1, 1e-14)
      }),
    )
  })

  it("folds the tails into the end numbers", () => {
    const { pmf } = discretise(located(normal, 70, 100), 70, 69, 71)
    assert.deepStrictEqual([pmf[0], pmf[2]], [normal.cdf(-0.005), normal.sf(0.005)])
    assert.approximately(pmf[1]!, 1 - 2 * normal.cdf(-0.005), 2e-16)
  })

  it("puts everything on one number at scale 0, half on each where it lies between two", () => {
    assert.strictEqual(degrees(84.2, 0).pmf[20], 1)
    const split = discretise(located(eight, 84.5, 0), 84.5, 80, 90)
    assert.deepStrictEqual([split.pmf[4], split.pmf[5]], [0.5, 0.5])
    assert.deepStrictEqual([...discretise(normal, 0, 3, 3).pmf], [1])
  })

  it("reaches five standard deviations, and 20 at least", () => {
    assert.deepStrictEqual(windowOf(84.5, 1), { first: 65, last: 105 })
    assert.deepStrictEqual(windowOf(-3.2, 4.01), { first: -24, last: 18 })
  })
})

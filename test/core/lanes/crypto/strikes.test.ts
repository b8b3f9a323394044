import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { chooseStrikes } from "../../../../core/lanes/crypto/strikes.ts"

describe("chooseStrikes", () => {
  it("takes the step of 1, 2 or 5 nearest to a quarter of the move", () => {
    // spot, sigma, step, middle
    for (const [spot, sigma, step, middle] of [
      [65_012, 0.006, 100, 65_000],
      [65_012, 0.0092, 100, 65_000],
      [65_012, 0.0093, 200, 65_000],
      [65_080, 0.0215, 200, 65_000],
      [65_080, 0.0216, 500, 65_000],
      [65_080, 0.0462, 1000, 65_000],
      [3_205.7, 0.004, 2, 3_206],
      [3_205.7, 0.0005, 0.5, 3_205.5],
      [0.1234, 0.01, 0.0002, 0.1234],
    ] as const) {
      const strikes = chooseStrikes(spot, sigma)
      assert.lengthOf(strikes, 21)
      assert.approximately(strikes[10]!, middle, 1e-12)
      assert.approximately(strikes[11]! - strikes[10]!, step, 1e-9 * step)
    }
  })

  it("writes decimals as they are read", () => {
    assert.deepStrictEqual(chooseStrikes(3_205.7, 0.0001).slice(8, 13).map(String), [
      "3205.5",
      "3205.6",
      "3205.7",
      "3205.8",
      "3205.9",
    ])
    assert.deepStrictEqual(chooseStrikes(0.1234, 0.01).slice(0, 2).map(String), ["0.1214", "0.1216"])
  })

  it("stays above 0, rises, and is centred on spot, for any spot and sigma", () => {
    const spot = fc.double({ min: -8, max: 8, noNaN: true }).map((exponent) => 10 ** exponent)
    fc.assert(
      fc.property(spot, fc.double({ min: 0, max: 5, noNaN: true }), (price, sigma) => {
        const strikes = chooseStrikes(price, sigma)
        assert.lengthOf(strikes, 21)
        assert.isAbove(strikes[0]!, 0)
        for (let at = 1; at < 21; at++) assert.isAbove(strikes[at]!, strikes[at - 1]!)
        const step = (strikes[20]! - strikes[0]!) / 20
        assert.isAtMost(Math.abs(strikes[10]! - price), step * 0.500001)
        if (sigma > 1e-6 && sigma < 0.25) {
          const wanted = (sigma * price) / 4
          // At the midpoint of 2 and 5: 2 / 3.5 and 5 / 3.5.
          assert.isAtLeast(step / wanted, 0.571)
          assert.isAtMost(step / wanted, 1.43)
        }
      }),
    )
  })

  it("does not lose its strikes on a tape that stood still", () => {
    const strikes = chooseStrikes(65_000, 0)
    assert.deepStrictEqual([strikes[0], strikes[20]], [64_999.8, 65_000.2])
  })
})

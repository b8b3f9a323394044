import { assert, describe, it } from "@effect/vitest"
import { fromState, xoshiro128 } from "../../../core/math/xoshiro128.ts"

describe("xoshiro128", () => {
  it("gives the words of the reference code from its state 1, 2, 3, 4", () => {
    const { word } = fromState([1, 2, 3, 4])
    assert.deepStrictEqual(
      Array.from({ length: 6 }, () => word()),
      [11_520, 0, 5_927_040, 70_819_200, 2_031_721_883, 1_637_235_492],
    )
  })

  it("draws each number about as often, the same ones for the same seed", () => {
    const counts = new Int32Array(7)
    const [generator, again, other] = [xoshiro128(1), xoshiro128(1), xoshiro128(2)]
    let same = 0
    for (let draw = 0; draw < 70_000; draw++) {
      const value = generator.integer(7)
      counts[value]! += 1
      assert.strictEqual(again.integer(7), value)
      if (other.integer(7) === value) same++
    }
    // Six degrees of freedom: above 22.5 by chance once in a thousand seeds.
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    assert.isBelow(chiSquare, 22.5)
    assert.approximately(same / 70_000, 1 / 7, 0.01)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Discrete } from "../../../core/math/discretise.ts"
import { coverage, type Pit, pit, pitHistogram } from "../../../core/math/pit.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const law: Discrete = {
  first: -1,
  pmf: Float64Array.of(0.125, 0.25, 0.5, 0.125),
  ge: Float64Array.of(1, 0.875, 0.625, 0.125),
}
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const steps = fc.tuple(unit, unit).map(([a, b]): Pit => ({ low: Math.min(a, b), high: Math.max(a, b) }))

describe("pit", () => {
  it("is the step of the distribution function, an outcome beyond the ends counting as the end", () => {
    const found = [-9, -1, 0, 1, 2, 40].map((k) => pit(law, k))
    const [first, last] = [
      { low: 0, high: 0.125 },
      { low: 0.875, high: 1 },
    ]
    assert.deepStrictEqual(found, [first, first, { low: 0.125, high: 0.375 }, { low: 0.375, high: 0.875 }, last, last])
  })

  /** Outcomes drawn from the law itself, and from one that is too narrow. */
  const drawn = (count: number, masses: ArrayLike<number>) => {
    const generator = xoshiro128(5)
    const uniform = () => generator.integer(2 ** 30) / 2 ** 30
    return Array.from({ length: count }, () => {
      let [left, at] = [uniform(), 0]
      while (left >= masses[at]! && at < masses.length - 1) left -= masses[at++]!
      return pit(law, law.first + at)
    })
  }

  it("is flat as a histogram for outcomes of the law alone", () => {
    for (const share of pitHistogram(drawn(20_000, law.pmf), 10)) assert.approximately(share, 0.1, 0.01)
    // The first number, of probability .125, never happens.
    assert.isBelow(pitHistogram(drawn(20_000, [0, 0.25, 0.75, 0]), 10)[0]!, 0.01)
  })

  it("spreads each step over its bins: the shares sum to 1, and each is the mean of the overlaps", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 25 }), (all, bins) => {
        const shares = pitHistogram(all, bins)
        assert.approximately(
          shares.reduce((sum, share) => sum + share, 0),
          1,
          1e-12,
        )
        for (const share of shares) assert.isAtLeast(share, 0)
      }),
    )
    assert.deepStrictEqual([...pitHistogram([{ low: 0, high: 1 }], 4)], [0.25, 0.25, 0.25, 0.25])
    assert.deepStrictEqual([...pitHistogram([{ low: 1, high: 1 }], 2)], [0, 1])
    assert.deepStrictEqual([...pitHistogram([{ low: 0.5, high: 0.5 }], 2)], [0, 1])
    assert.deepStrictEqual([...pitHistogram([], 2)], [Number.NaN, Number.NaN])
  })

  it("covers the central interval of a level as often as it says, which a narrow law does not", () => {
    const steps = (pmf: ReadonlyArray<number>) => drawn(20_000, pmf)
    for (const level of [0.5, 0.8, 0.9]) {
      assert.approximately(coverage(steps([...law.pmf]), level), level, 0.015)
      assert.isAbove(Math.abs(coverage(steps([0, 0.25, 0.75, 0]), level) - level), 0.03)
    }
    assert.approximately(coverage([{ low: 0.2, high: 0.6 }], 0.5), 0.875, 1e-12)
    assert.deepStrictEqual([coverage([{ low: 0, high: 1 }], 0.8), coverage([], 0.5)], [0.8, Number.NaN])
    assert.throws(() => coverage([{ low: 0.6, high: 0.2 }], 0.5), RangeError)
  })
})

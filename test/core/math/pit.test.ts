import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Discrete } from "../../../core/math/discretise.ts"
import { coverage, midPit, type Pit, pit, pitHistogram, randomisedPit } from "../../../core/math/pit.ts"
import { uniformDistance } from "../../../core/math/score.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const law: Discrete = {
  first: -1,
  pmf: Float64Array.of(0.125, 0.25, 0.5, 0.125),
  ge: Float64Array.of(1, 0.875, 0.625, 0.125),
}
const outcome = fc.integer({ min: -5, max: 6 })
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

  it("has its mid-point and its draws within the step", () => {
    fc.assert(
      fc.property(outcome, unit, (k, u) => {
        const step = pit(law, k)
        assert.strictEqual(midPit(step), (step.low + step.high) / 2)
        assert.isAtLeast(randomisedPit(step, u), step.low)
        assert.isAtMost(randomisedPit(step, u), step.high)
      }),
    )
    assert.deepStrictEqual([randomisedPit(pit(law, 1), 0), randomisedPit(pit(law, 1), 1)], [0.375, 0.875])
  })

  /** Outcomes drawn from the law itself, and from one that is too narrow. */
  const drawn = (count: number, masses: ArrayLike<number>) => {
    const generator = xoshiro128(5)
    const uniform = () => generator.integer(2 ** 30) / 2 ** 30
    return Array.from({ length: count }, () => {
      let [left, at] = [uniform(), 0]
      while (left >= masses[at]! && at < masses.length - 1) left -= masses[at++]!
      return { step: pit(law, law.first + at), u: uniform() }
    })
  }

  it("is uniform once randomised, and flat as a histogram, for outcomes of the law alone", () => {
    const own = drawn(20_000, law.pmf)
    // The 99.9 % point of Kolmogorov's distribution.
    const most = 1.95 / Math.sqrt(own.length)
    assert.isBelow(uniformDistance(own.map(({ step, u }) => randomisedPit(step, u))), most)
    const flat = pitHistogram(
      own.map(({ step }) => step),
      10,
    )
    for (const share of flat) assert.approximately(share, 0.1, 0.01)
    const narrow = drawn(20_000, [0, 0.25, 0.75, 0])
    // The first number, of probability .125, never happens.
    assert.isAbove(uniformDistance(narrow.map(({ step, u }) => randomisedPit(step, u))), 0.12)
    assert.isBelow(
      pitHistogram(
        narrow.map(({ step }) => step),
        10,
      )[0]!,
      0.01,
    )
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
    const steps = (pmf: ReadonlyArray<number>) => drawn(20_000, pmf).map(({ step }) => step)
    for (const level of [0.5, 0.8, 0.9]) {
      assert.approximately(coverage(steps([...law.pmf]), level), level, 0.015)
      assert.isAbove(Math.abs(coverage(steps([0, 0.25, 0.75, 0]), level) - level), 0.03)
    }
    assert.approximately(coverage([{ low: 0.2, high: 0.6 }], 0.5), 0.875, 1e-12)
    assert.deepStrictEqual([coverage([{ low: 0, high: 1 }], 0.8), coverage([], 0.5)], [0.8, Number.NaN])
    assert.throws(() => coverage([{ low: 0.6, high: 0.2 }], 0.5), RangeError)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as normal from "../../../core/math/normal.ts"
import { reference, relative, worst } from "./reference.ts"

const inRange = reference.normal.filter(({ x }) => Math.abs(x) <= 37)
const finite = fc.double({ min: -40, max: 40, noNaN: true })

describe("normal", () => {
  it("agrees with 60-digit values in both tails, relative to the value", () => {
    assert.isAtMost(worst(inRange.map(({ x, cdf }) => relative(normal.cdf(x), cdf))), 5e-16)
    assert.isAtMost(worst(inRange.map(({ x, sf }) => relative(normal.sf(x), sf))), 5e-16)
    assert.isAtMost(worst(inRange.map(({ x, pdf }) => relative(normal.pdf(x), pdf))), 5e-16)
  })

  it("agrees absolutely over the whole line", () => {
    assert.isAtMost(worst(reference.normal.map(({ x, cdf }) => Math.abs(normal.cdf(x) - Number(cdf)))), 2.5e-16)
  })

  it("has the digits of subnormal results", () => {
    for (const { x, cdf } of reference.normal.filter(({ x }) => x < -37)) {
      assert.approximately(normal.cdf(x), Number(cdf), 1e-323 + 1e-8 * Number(cdf))
    }
    assert.isAbove(normal.cdf(-38.4), 0)
  })

  it("has the scaled complementary error function as its tail without the exponential", () => {
    const rows = reference.erfc.filter(({ x, erfcx }) => x >= 0 && erfcx !== null)
    assert.isAtMost(worst(rows.map(({ x, erfcx }) => relative(2 * normal.scaledTail(x * Math.SQRT2), erfcx!))), 1e-15)
  })

  it("inverts to the 60-digit quantiles", () => {
    assert.isAtMost(worst(reference.normal_quantile.map(({ p, x }) => relative(normal.quantile(p), x))), 2.3e-16)
  })

  it("specifies every degenerate argument", () => {
    const rows = [
      [normal.cdf, Number.NaN, Number.NaN],
      [normal.cdf, Number.NEGATIVE_INFINITY, 0],
      [normal.cdf, Number.POSITIVE_INFINITY, 1],
      [normal.cdf, 0, 0.5],
      [normal.cdf, -0, 0.5],
      [normal.cdf, -1e308, 0],
      [normal.cdf, 1e308, 1],
      [normal.cdf, 5e-324, 0.5],
      [normal.sf, Number.NaN, Number.NaN],
      [normal.sf, Number.NEGATIVE_INFINITY, 1],
      [normal.sf, Number.POSITIVE_INFINITY, 0],
      [normal.pdf, Number.NaN, Number.NaN],
      [normal.pdf, Number.NEGATIVE_INFINITY, 0],
      [normal.pdf, Number.POSITIVE_INFINITY, 0],
      [normal.quantile, 0, Number.NEGATIVE_INFINITY],
      [normal.quantile, -0, Number.NEGATIVE_INFINITY],
      [normal.quantile, 1, Number.POSITIVE_INFINITY],
      [normal.quantile, 0.5, 0],
      [normal.quantile, -1e-300, Number.NaN],
      [normal.quantile, 1 + 2 ** -52, Number.NaN],
      [normal.quantile, Number.NaN, Number.NaN],
      [normal.quantile, Number.POSITIVE_INFINITY, Number.NaN],
    ] as const
    for (const [f, x, y] of rows) assert.deepStrictEqual(f(x), y, `${f.name}(${x})`)
    assert.approximately(normal.quantile(5e-324), -38.46740561714434, 1e-13)
    assert.approximately(normal.quantile(1 - 2 ** -53), 8.209536151601387, 1e-14)
  })

  it("never falls, beyond its rounding", () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        assert.isAtMost(normal.cdf(low), normal.cdf(high) * (1 + 2e-15))
        assert.isAtLeast(normal.sf(low) * (1 + 2e-15), normal.sf(high))
      }),
    )
  })

  it("never falls from one double to the next across its joints", () => {
    for (const joint of [-2.5, -0.75, 0.75, 2.5]) {
      const steps = Array.from({ length: 201 }, (_, k) => normal.cdf(joint + (k - 100) * 1e-12))
      for (const [k, value] of steps.slice(1).entries()) assert.isAtLeast(value, steps[k]!)
    }
  })

  it("has two sides that sum to 1", () => {
    fc.assert(fc.property(finite, (x) => assert.approximately(normal.cdf(x) + normal.sf(x), 1, 2.3e-16)))
  })

  it("undoes its quantile, relative to the tail", () => {
    const tail = fc.double({ min: -300, max: Math.log10(0.5), noNaN: true }).map((exponent) => 10 ** exponent)
    fc.assert(
      fc.property(tail, (p) => {
        const x = normal.quantile(p)
        // x is right to one unit in its last place, 2⁻⁵² of it; that moves the tail by x² times as much, and the tail has
        // an error of its own.
        assert.isAtMost(relative(normal.cdf(x), p), 1e-14 + 2.3e-16 * x * x)
      }),
    )
  })

  it("is undone by its quantile", () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 8, noNaN: true }), (x) => {
        const p = normal.cdf(x)
        // Twice the change of x by the rounding of p alone.
        assert.approximately(normal.quantile(p), x, (5e-16 * p) / normal.pdf(x) + 1e-15 * Math.abs(x))
      }),
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { gammaRatio } from "../../../core/math/gammaRatio.ts"
import * as normal from "../../../core/math/normal.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { reference, relative, worst } from "./reference.ts"

const degrees = [...new Set(reference.student_t.map(({ nu }) => nu))]
const nus = fc.oneof(fc.double({ min: 2.5, max: 30, noNaN: true }), fc.constantFrom(0.1, 1, 2, 100, 1e4, 1e9, 1e18))
const finite = fc.double({ min: -1000, max: 1000, noNaN: true })

describe("studentT", () => {
  it("agrees with 60-digit values in both tails, relative to the value", () => {
    for (const nu of degrees) {
      const t = studentT.make(nu)
      // At ν = 10000 and x = −1000 the tail is beneath the range of doubles.
      const rows = reference.student_t.filter((row) => row.nu === nu && Number(row.cdf) > 0 && Number(row.sf) > 0)
      const bar = nu <= 120 ? 1.2e-15 : 1e-13
      assert.isAtMost(worst(rows.map(({ x, cdf }) => relative(t.cdf(x), cdf))), bar, `cdf, ν = ${nu}`)
      assert.isAtMost(worst(rows.map(({ x, sf }) => relative(t.sf(x), sf))), bar, `sf, ν = ${nu}`)
    }
  })

  it("inverts to the 60-digit quantiles", () => {
    for (const { nu, p, x } of reference.student_t_quantile) {
      assert.isAtMost(relative(studentT.make(nu).quantile(p), x), 1.2e-15, `ν = ${nu}, p = ${p}`)
    }
  })

  it("is Cauchy's at 1 and has its closed form at 2 and 4", () => {
    const [one, two, four] = [studentT.make(1), studentT.make(2), studentT.make(4)]
    for (const x of [1e-9, 0.3, 1, 2.5, 40, 1e5, 1e9, 1e150]) {
      assert.isAtMost(relative(one.sf(x), Math.atan(1 / x) / Math.PI), 3e-15 + 4e-16 * Math.log(1 + x))
      assert.isAtMost(relative(one.pdf(x), 1 / (Math.PI * (1 + x * x))), 1e-13)
      const root = Math.sqrt(2 + x * x)
      if (x < 1e100) assert.isAtMost(relative(two.sf(x), 1 / (root * (root + x))), 4e-15 + 8e-16 * Math.log(1 + x))
    }
    assert.isAtMost(relative(four.sf(1e6), 3e-24), 1e-11)
  })

  it("runs into the normal distribution as ν grows", () => {
    const points = [-30, -8, -2, -0.5, 0.5, 2]
    for (const x of points) {
      const gap = (nu: number) => relative(studentT.make(nu).cdf(x), normal.cdf(x))
      // The first term of the difference is of size x⁴ / 4ν.
      for (const nu of [1e9, 1e15, 1e20]) assert.isAtMost(gap(nu), (x ** 4 + 1) / nu + 3e-13)
      for (const nu of [2 ** 70, 1e300, Number.POSITIVE_INFINITY]) assert.strictEqual(gap(nu), 0)
    }
    const [last, normally] = [studentT.make(2 ** 69), studentT.make(2 ** 70)]
    assert.isAtMost(relative(last.quantile(1e-9), normally.quantile(1e-9)), 1e-14)
    assert.isAtMost(relative(last.pdf(3), normally.pdf(3)), 1e-14)
  })

  it("specifies every degenerate argument", () => {
    const t = studentT.make(4.5)
    const rows = [
      [t.cdf(Number.NaN), Number.NaN],
      [t.cdf(Number.NEGATIVE_INFINITY), 0],
      [t.cdf(Number.POSITIVE_INFINITY), 1],
      [t.cdf(0), 0.5],
      [t.cdf(-0), 0.5],
      [t.cdf(1e308), 1],
      [t.sf(Number.NaN), Number.NaN],
      [t.sf(Number.NEGATIVE_INFINITY), 1],
      [t.sf(Number.POSITIVE_INFINITY), 0],
      [t.pdf(Number.NaN), Number.NaN],
      [t.pdf(Number.NEGATIVE_INFINITY), 0],
      [t.pdf(Number.POSITIVE_INFINITY), 0],
      [t.quantile(0), Number.NEGATIVE_INFINITY],
      [t.quantile(1), Number.POSITIVE_INFINITY],
      [t.quantile(0.5), 0],
      [t.quantile(-1e-300), Number.NaN],
      [t.quantile(1.0000001), Number.NaN],
      [t.quantile(Number.NaN), Number.NaN],
      // Beyond the range of doubles.
      [studentT.make(0.05).quantile(1e-100), Number.NEGATIVE_INFINITY],
    ] as const
    for (const [at, [value, expected]] of rows.entries()) assert.deepStrictEqual(value, expected, `row ${at}`)
    // The square of the argument overflows, the tail does not vanish.
    assert.isAtMost(relative(studentT.make(1).sf(1e200), 1e-200 / Math.PI), 1e-13)
    for (const nu of [0, -0, -1, Number.NEGATIVE_INFINITY, Number.NaN, 5e-324]) {
      const { cdf, sf, pdf, quantile } = studentT.make(nu)
      for (const value of [cdf(0), cdf(-1), sf(0), sf(2), pdf(0), pdf(1), quantile(0), quantile(0.3), quantile(0.5)]) {
        assert.isNaN(value, `ν = ${nu}`)
      }
    }
  })

  it("never falls, beyond its rounding", () => {
    fc.assert(
      fc.property(nus, finite, finite, (nu, a, b) => {
        const t = studentT.make(nu)
        const [low, high] = a < b ? [a, b] : [b, a]
        assert.isAtMost(t.cdf(low), t.cdf(high) * (1 + 5e-13))
        assert.isAtMost(t.cdf(Math.min(low, 0)), 0.5)
        assert.isAtLeast(t.cdf(Math.max(high, 0)), 0.5)
      }),
    )
  })

  it("has two sides that sum to 1", () => {
    fc.assert(
      fc.property(nus, finite, (nu, x) => {
        const t = studentT.make(nu)
        assert.approximately(t.cdf(x) + t.sf(x), 1, 2.3e-16)
        assert.strictEqual(t.cdf(-x), t.sf(x))
      }),
    )
  })

  it("undoes its quantile, relative to the tail", () => {
    const tail = fc.double({ min: -30, max: Math.log10(0.5), noNaN: true }).map((exponent) => 10 ** exponent)
    fc.assert(
      fc.property(fc.double({ min: 2.5, max: 30, noNaN: true }), tail, (nu, p) => {
        const t = studentT.make(nu)
        assert.isAtMost(Math.abs(t.cdf(t.quantile(p)) - p), 1e-14 * p + 1e-16)
      }),
    )
  })

  it("is undone by its quantile", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2.5, max: 30, noNaN: true }),
        fc.double({ min: -50, max: 4, noNaN: true }),
        (nu, x) => {
          const t = studentT.make(nu)
          const p = t.cdf(x)
          assert.approximately(t.quantile(p), x, (5e-15 * p + 3e-16) / t.pdf(x) + 2e-14 * Math.abs(x))
        },
      ),
    )
  })
})

describe("gammaRatio", () => {
  it("agrees with the gamma function at halves and wholes", () => {
    // Γ(c + ½) / Γ(c) from Γ(1) = 1, Γ(½) = √π and Γ(c + 1) = c Γ(c).
    let [whole, half] = [Math.sqrt(Math.PI) / 2, 1 / Math.sqrt(Math.PI)]
    for (let c = 1; c < 40; c++) {
      assert.isAtMost(relative(gammaRatio(c), whole), 1e-14)
      assert.isAtMost(relative(gammaRatio(c - 0.5), half), 1e-14)
      whole *= (c + 0.5) / c
      half *= c / (c - 0.5)
    }
  })
})

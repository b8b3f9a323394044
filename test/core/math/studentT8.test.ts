import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as studentT from "../../../core/math/studentT.ts"
import { studentT8, unitSd } from "../../../core/math/studentT8.ts"
import { reference, relative, worst } from "./reference.ts"

const eight = reference.student_t.filter(({ nu }) => nu === 8)

describe("studentT8", () => {
  it("agrees with 60-digit values in both tails", () => {
    assert.isAtLeast(eight.length, 10)
    for (const side of ["cdf", "sf"] as const) {
      assert.isBelow(worst(eight.map((row) => relative(studentT8[side](row.x), row[side]))), 1e-14)
    }
  })

  it("is the general Student t at 8", () => {
    const general = studentT.make(8)
    fc.assert(
      fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (x) => {
        assert.isBelow(relative(studentT8.cdf(x), general.cdf(x)), 5e-14)
        assert.isBelow(relative(studentT8.sf(x), general.sf(x)), 5e-14)
      }),
    )
  })

  it("has limits at the ends and no value for NaN", () => {
    assert.deepStrictEqual([Number.NEGATIVE_INFINITY, 0, Number.POSITIVE_INFINITY].map(studentT8.cdf), [0, 0.5, 1])
    assert.deepStrictEqual([Number.NEGATIVE_INFINITY, 0, Number.POSITIVE_INFINITY].map(studentT8.sf), [1, 0.5, 0])
    assert.isNaN(studentT8.cdf(Number.NaN))
    assert.isNaN(studentT8.sf(Number.NaN))
  })

  it("has a standard deviation of 1 / unitSd", () => {
    let square = 0
    for (let x = -400; x < 400; x += 0.01) square += x * x * studentT8.pdf(x) * 0.01
    assert.approximately(Math.sqrt(square) * unitSd, 1, 1e-6)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { correlation } from "../../../core/math/correlation.ts"

describe("correlation", () => {
  it("is 1 on a rising line, −1 on a falling one, and 0 where the mean does not move", () => {
    assert.closeTo(
      correlation([
        [1, 10],
        [2, 20],
        [4, 40],
      ]),
      1,
      1e-12,
    )
    assert.closeTo(
      correlation([
        [1, 3],
        [2, 1],
      ]),
      -1,
      1e-12,
    )
    assert.closeTo(
      correlation([
        [-1, 1],
        [0, 0],
        [1, 1],
      ]),
      0,
      1e-12,
    )
  })

  it("of published pairs is the published figure", () => {
    // Anscombe's first set (1973): .816.
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    assert.closeTo(correlation(x.map((value, at) => [value, y[at]!] as const)), 0.81642, 5e-6)
  })

  it("is no number where a side does not vary", () => {
    assert.isNaN(correlation([]))
    assert.isNaN(
      correlation([
        [1, 2],
        [1, 3],
      ]),
    )
  })
})

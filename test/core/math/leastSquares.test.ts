import { assert, describe, it } from "@effect/vitest"
import { leastSquares } from "../../../core/math/leastSquares.ts"

describe("leastSquares", () => {
  it("solves the normal equations", () => {
    // X'X = [[14, 6], [6, 6]], X'y = [25, 12], y'y = 50.
    const { a, b, sigma } = leastSquares([
      [1, 1, 3],
      [2, 1, 2],
      [3, 1, 6],
      [0, 1, 0],
      [0, 1, 1],
      [0, 1, 0],
    ])

    assert.approximately(a, 78 / 48, 1e-14)
    assert.approximately(b, (12 * 14 - 25 * 6) / 48, 1e-14)
    assert.approximately(sigma, Math.sqrt((50 - a * 25 - b * 12) / 4), 1e-12)
  })

  it("finds a plane again", () => {
    const rows = Array.from({ length: 20 }, (_, k) => {
      const [x1, x2] = [Math.sin(k), Math.cos(3 * k)]
      return [x1, x2, 0.9 * x1 - 2.5 * x2] as const
    })
    const { a, b, sigma } = leastSquares(rows)
    assert.approximately(a, 0.9, 1e-13)
    assert.approximately(b, -2.5, 1e-13)
    assert.isBelow(sigma, 1e-13)
  })

  it("says that there is no plane", () => {
    const { a } = leastSquares([
      [1, 2, 3],
      [2, 4, 6],
      [3, 6, 9],
    ])
    assert.isFalse(Number.isFinite(a))
  })
})

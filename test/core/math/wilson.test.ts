import { assert, describe, it } from "@effect/vitest"
import { wilson } from "../../../core/math/wilson.ts"

const z = 1.959963984540054

describe("wilson", () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857–872, table I, method 3: to four decimals.
  for (const [hits, count, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ] as const) {
    it(`of ${hits} in ${count} is ${low} to ${high}`, () => {
      const found = wilson(hits, count, z)
      assert.approximately(found.low, low, 6e-5)
      assert.approximately(found.high, high, 6e-5)
    })
  }

  it("stays within 0 and 1, is symmetric, and has no bounds without trials", () => {
    for (let count = 1; count < 60; count++) {
      for (let hits = 0; hits <= count; hits++) {
        const { low, high } = wilson(hits, count, z)
        assert.isTrue(0 <= low && low <= hits / count && hits / count <= high && high <= 1, `${hits} of ${count}`)
        assert.approximately(low, 1 - wilson(count - hits, count, z).high, 1e-15)
      }
    }
    assert.deepStrictEqual(wilson(0, 0, z), { low: Number.NaN, high: Number.NaN })
  })
})

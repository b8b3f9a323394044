import { assert, describe, it } from "@effect/vitest"
import { mean } from "../../../core/math/mean.ts"

describe("the mean", () => {
  it("is the sum by the count, and not a number of nothing", () => {
    assert.strictEqual(mean([7]), 7)
    assert.strictEqual(mean([1, 2, 6]), 3)
    assert.strictEqual(mean([-1, 1]), 0)
    assert.isNaN(mean([]))
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { twoDecimals } from "../../core/text.ts"

describe("two decimals", () => {
  it("are those of `toFixed`, whatever the number", () => {
    const halves = fc.integer({ min: -3_000_000, max: 3_000_000 }).map((thousandths) => thousandths / 1_000)
    const some = fc.oneof(halves, fc.double(), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(some, (value) => assert.strictEqual(twoDecimals(value), value.toFixed(2))),
      { numRuns: 5_000 },
    )
  })
})

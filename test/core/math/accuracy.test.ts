import { assert, describe, it } from "@effect/vitest"
import { claims } from "../../../bench/tools/math/accuracy.ts"
import { absolute, relative } from "../../../bench/tools/math/reference.ts"

describe("documented accuracy", () => {
  it.each(
    claims.map((claim) => [`${claim.name}, ${claim.kind} error at most ${claim.most}: ${claim.range}`, claim] as const),
  )("%s", (_, { most, errors }) => {
    const found = errors()
    assert.isAtLeast(found.length, 2)
    for (const error of found) assert.isAtMost(error, most)
  })

  it("is measured against decimal digits without rounding", () => {
    assert.strictEqual(relative(0.1, "0.1000000000000000055511151231257827021181583404541015625"), 0)
    assert.approximately(relative(0.1, "0.1"), 5.55e-17, 1e-19)
    assert.approximately(absolute(1, "1.00000000000000000000001"), 1e-23, 1e-36)
    assert.approximately(relative(5e-324, "4.940656458412465441765687928682213724e-324"), 0, 1e-30)
    assert.approximately(relative(-3, "-2.0e0"), 0.5, 1e-15)
    assert.deepStrictEqual([relative(0, "0"), relative(1e-9, "0"), absolute(2, "0")], [0, 1e-9, 2])
    assert.strictEqual(relative(Number.NaN, "1"), Number.POSITIVE_INFINITY)
    assert.strictEqual(absolute(Number.POSITIVE_INFINITY, "1"), Number.POSITIVE_INFINITY)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { nearestTests } from "../../bench/tools/nearest.ts"

const { nearest, needsPostgres } = nearestTests()

describe("the nearest tests", () => {
  it("of a source begin with the one at its path; more than asked for are of its folder", () => {
    const near = nearest("core/math/studentT.ts", 3)
    assert.strictEqual(near[0], "test/core/math/studentT.test.ts")
    assert.isAtLeast(near.length, 3)
    for (const each of near.slice(3)) assert.match(each, /^test\/core\/math\/\w+\.test\.ts$/)
  })

  it("of a source without a test at its path are those that import it", () => {
    assert.include(nearest("core/lanes/football/quarterback.ts", 8), "test/core/lanes/football/Football.test.ts")
    assert.isNotEmpty(nearest("adapters/server/http/alertEvents.ts", 8))
  })

  it("of support of tests are those that import it", () => {
    assert.include(nearest("bench/tools/nearest.ts", 8), "test/support/nearest.test.ts")
  })

  it("of a source that nothing imports are those of its folder, or none", () => {
    const near = nearest("services/nowhere.ts", 0)
    assert.isNotEmpty(near)
    for (const each of near) assert.match(each, /^test\/(long\/)?services\/\w[\w-]*\.test\.ts$/)
    assert.deepStrictEqual(nearest("services/nowhere/at/all.ts", 8), [])
    assert.isFalse(needsPostgres("services/nowhere.ts"))
  })

  it("of a source are also the long ones at its path and in its folder", () => {
    const near = nearest("adapters/server/payments/x402/settlement.ts", 1)
    assert.strictEqual(near[0], "test/long/adapters/server/payments/x402/settlement.test.ts")
    assert.include(near, "test/adapters/server/payments/x402/gas.test.ts")
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as LogThrottle from "../../../core/gateway/logThrottle.ts"

describe("a log of one line per kind and time", () => {
  it("suppresses a line until the quiet time is over, to the millisecond, and then counts the suppressed", () => {
    const throttle = LogThrottle.make(1_000)
    assert.strictEqual(throttle("a", 5_000), 0)
    assert.isUndefined(throttle("a", 5_000))
    assert.isUndefined(throttle("a", 5_999))
    assert.strictEqual(throttle("a", 6_000), 2)
    assert.isUndefined(throttle("a", 6_999))
    assert.strictEqual(throttle("a", 7_000), 1)
    assert.strictEqual(throttle("a", 9_000), 0)
  })

  it("measures from the line that was written, not from the last suppressed one", () => {
    const throttle = LogThrottle.make(1_000)
    throttle("a", 0)
    throttle("a", 900)
    assert.strictEqual(throttle("a", 1_000), 1)
  })

  it("counts each kind for itself", () => {
    const throttle = LogThrottle.make(1_000)
    assert.strictEqual(throttle("a", 0), 0)
    assert.strictEqual(throttle("b", 1), 0)
    assert.isUndefined(throttle("a", 2))
  })

  it("writes again after a clock that was set back", () => {
    const throttle = LogThrottle.make(1_000)
    throttle("a", 5_000)
    assert.isUndefined(throttle("a", 5_500))
    assert.strictEqual(throttle("a", 4_999), 1)
  })
})

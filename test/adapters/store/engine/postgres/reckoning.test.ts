import { assert, describe, it } from "@effect/vitest"
import { makeReckoning, type Sample } from "../../../../../adapters/store/engine/postgres/clock.ts"

/** An answer after a round trip, by a store whose clock is `offset` ahead of the stopwatch. */
const sample = (sentAt: number, trip: number, offset: number, late = 0.5): Sample => ({
  sentAt,
  receivedAt: sentAt + trip,
  time: sentAt + trip * late + offset,
})

describe("the store's time as a node reckons it", () => {
  it("is never further off than it says, wherever in the round trip the store read its clock", () => {
    for (const late of [0, 0.3, 0.5, 1]) {
      const time = makeReckoning(sample(0, 80, 1_000_000, late))
      assert.closeTo(time.now(100), 1_000_100, time.maxError(100))
      assert.closeTo(time.maxError(80), 40, 0.001)
    }
  })

  it("goes by the fastest answer, until it is a minute old", () => {
    const time = makeReckoning(sample(0, 10, 5_000, 0.5))
    time.take(sample(1_000, 400, 5_000, 0.9))
    assert.strictEqual(time.now(2_000), 7_000)
    for (let at = 11_000; at <= 62_000; at += 10_000) time.take(sample(at, 400, 5_000, 0.9))
    assert.closeTo(time.now(62_000), 67_160, 100)
    assert.isAbove(time.maxError(62_000), 199)
  })

  it("doubts a store that answers slowly, or not at all", () => {
    const slow = makeReckoning(sample(0, 600, 0))
    assert.isAtLeast(slow.maxError(600), 300)
    const silent = makeReckoning(sample(0, 2, 0))
    assert.isBelow(silent.maxError(30_000), 20)
    assert.strictEqual(silent.maxError(30_003), Number.POSITIVE_INFINITY)
    silent.take(sample(31_000, 2, 0))
    assert.isBelow(silent.maxError(31_002), 20)
  })

  it("follows a store's clock that is set forward at once, and one that is set back without going back", () => {
    const time = makeReckoning(sample(0, 2, 0))
    time.take(sample(10, 2, 60_000))
    assert.strictEqual(time.now(20), 60_020)
    let before = time.now(30)
    time.take(sample(29, 2, 50_000))
    assert.isAbove(time.maxError(40), 9_000)
    for (let local = 31; local < 30_000; local += 7) {
      const now = time.now(local)
      assert.isAtLeast(now, before)
      before = now
    }
    assert.strictEqual(time.now(30_000), 80_000)
    assert.isBelow(time.maxError(30_000), 20)
  })
})

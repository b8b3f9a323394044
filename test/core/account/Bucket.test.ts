import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { take } from "../../../core/account/Bucket.ts"

/** Offers a call at each time and lists which were let through. */
const offered = (perMinute: number, times: Iterable<number>): ReadonlyArray<boolean> => {
  let fullAt: number | undefined
  return Array.from(times, (now) => {
    const [next, taken] = take(fullAt, perMinute, now)
    fullAt = next
    return taken.ok
  })
}

const count = (all: ReadonlyArray<boolean>): number => all.filter(Boolean).length
const every = (ms: number, until: number): ReadonlyArray<number> =>
  Array.from({ length: Math.floor(until / ms) }, (_, index) => index * ms)

const rate = fc.integer({ min: 1, max: 6_000 })

describe("Bucket", () => {
  it("lets one minute's calls through at once, and no more", () => {
    for (const perMinute of [1, 7, 60, 600, 6_000, 12_345]) {
      assert.strictEqual(
        count(
          offered(
            perMinute,
            Array.from({ length: perMinute + 50 }, () => 5),
          ),
        ),
        perMinute,
      )
    }
  })

  it("lets exactly the rate through over time, after the first minute's burst", () => {
    for (const perMinute of [1, 7, 60, 600]) {
      const minutes = 10
      const passed = count(offered(perMinute, every(60_000 / perMinute / 3, minutes * 60_000)))
      assert.approximately(passed, perMinute * (minutes + 1), 1)
    }
  })

  it("says how many are left and when it is full again", () => {
    const rows = [
      [1, { ok: true, limit: 60, remaining: 59, resetSeconds: 1, retryAfterMs: 0 }],
      [2, { ok: true, limit: 60, remaining: 58, resetSeconds: 2, retryAfterMs: 0 }],
      [60, { ok: true, limit: 60, remaining: 0, resetSeconds: 60, retryAfterMs: 0 }],
      [61, { ok: false, limit: 60, remaining: 0, resetSeconds: 60, retryAfterMs: 1_000 }],
    ] as const
    let fullAt: number | undefined
    for (let call = 1; call <= 61; call++) {
      const [next, taken] = take(fullAt, 60, 1_000_000)
      fullAt = next
      const row = rows.find(([at]) => at === call)
      if (row !== undefined) assert.deepStrictEqual(taken, row[1])
    }
  })

  it("never shows less than nothing, and a retry after the stated wait succeeds", () => {
    fc.assert(
      fc.property(rate, fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }), (perMinute, pauses) => {
        let fullAt: number | undefined
        let now = 0
        for (const pause of pauses) {
          now += pause
          const [next, taken] = take(fullAt, perMinute, now)
          fullAt = next
          if (taken.remaining < 0 || taken.remaining > perMinute || taken.resetSeconds < 0 || taken.resetSeconds > 60)
            return false
          if (!taken.ok && (taken.retryAfterMs <= 0 || !take(next, perMinute, now + taken.retryAfterMs)[1].ok))
            return false
        }
        return true
      }),
    )
  })

  it("survives a clock that steps back: at most one minute of waiting", () => {
    const [fullAt] = take(undefined, 60, 10_000_000)
    const [after, taken] = take(fullAt, 60, 10_000_000 - 3_600_000)
    assert.isFalse(taken.ok)
    assert.isTrue(take(after, 60, 10_000_000 - 3_600_000 + 1_000)[1].ok)
  })
})

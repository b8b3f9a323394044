import { assert, describe, it } from "@effect/vitest"
import { behind, type Coverage, type Due, gapLines, gapText, isBehind, toCoverage } from "../../../core/feeds/Due.ts"

const feed: Due = { name: "tides", title: "Tide tables", due: "Every week.", absence: "Calls are refused." }
const week = (order: number) => ({ order, name: `week ${order}` })
const weeks = (...orders: ReadonlyArray<number>) => orders.map(week)

describe("the coverage of a feed", () => {
  const over = (there: ReadonlyArray<number>, due: ReadonlyArray<number> = [1, 2, 3, 4]): Coverage =>
    toCoverage(
      weeks(...due),
      ({ order }) => there.includes(order),
      there.length === 0 ? undefined : week(Math.max(...there)),
      3,
    )

  it("tells holes of the archive from what is late now", () => {
    assert.deepStrictEqual(over([2, 3]), { newest: week(3), expected: week(4), missing: weeks(4), gaps: weeks(1) })
    assert.isTrue(isBehind(over([1, 2, 3])))
    assert.isFalse(isBehind(over([3, 4])))
  })

  it("has no newest period while nothing is there, and expects none while nothing is due", () => {
    assert.deepStrictEqual(over([]), { expected: week(4), missing: weeks(3, 4), gaps: weeks(1, 2) })
    assert.deepStrictEqual(over([], []), { missing: [], gaps: [] })
  })

  it("is said in words: how far it goes, the first hole, and what is due", () => {
    assert.strictEqual(gapText(feed, over([1, 2, 3])), "Tide tables end with week 3; week 4 is due")
    assert.strictEqual(gapText(feed, over([1, 2, 4])), "Tide tables end with week 4 and lack week 3; week 4 is due")
    assert.strictEqual(gapText(feed, over([])), "Tide tables have not come yet; week 4 is due")
    assert.deepStrictEqual(gapLines(feed, []), [])
    assert.deepStrictEqual(gapLines(feed, weeks(2)), ["Tide tables lack week 2."])
    assert.deepStrictEqual(gapLines(feed, weeks(2, 3, 5)), ["Tide tables lack 3 periods from week 2 to week 5."])
  })
})

describe("the refusal of a call for a late period", () => {
  it("says when to ask again: at the source's next attempt, and never at once", () => {
    const coverage = { missing: weeks(4), gaps: [], expected: week(4), nextAttemptAt: 90_000 }
    const hint = { field: "week", action: "change", suggestion: "Send an earlier week." } as const
    const failure = behind(feed, coverage, 60_000, hint)
    assert.deepInclude(failure, { code: "data_freshness_stale", status: 503, retryAfterMs: 30_000, hints: [hint] })
    assert.strictEqual(behind(feed, coverage, 95_000).retryAfterMs, 1_000)
    assert.include(failure.detail, "week 4 is due")
  })
})

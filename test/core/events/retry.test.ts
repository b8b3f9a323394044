import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { nextAttemptAt, retryAfter, standard } from "../../../core/events/retry.ts"

const second = 1_000
const hour = 3_600_000
const day = 24 * hour

/** The attempts at a receiver that fails every time, as instants after the first one. */
const attempts = (
  random: () => number,
  { durationMs = 0, retryAfterMs }: { readonly durationMs?: number; readonly retryAfterMs?: number } = {},
): ReadonlyArray<number> => {
  const at = [0]
  for (;;) {
    const startedAt = at.at(-1)!
    const finishedAt = startedAt + durationMs
    const due = nextAttemptAt(
      standard,
      { failures: at.length, startedAt, finishedAt, expiresAt: standard.windowMs, retryAfterMs },
      random(),
    )
    if (due === undefined) return at
    assert.isAtLeast(due, finishedAt + standard.restMs)
    at.push(due)
  }
}

describe("the retry schedule", () => {
  it("without jitter is 0, 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h and a last one", () => {
    const expected = [0, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 77_760].map((at) => at * second)
    assert.deepStrictEqual(
      attempts(() => 0.5),
      expected,
    )
  })

  it("varies each pause by a tenth at most, and begins nothing after a day", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 }),
        FastCheck.integer({ min: 0, max: 15_000 }),
        (draws, durationMs) => {
          let drawn = 0
          const all = attempts(() => draws[drawn++]!, { durationMs })
          assert.lengthOf(all, 11)
          for (const [index, at] of all.entries()) {
            const offset = standard.offsetsMs[index]!
            assert.isAtLeast(at, offset * 0.9 - 1)
            assert.isAtMost(at, offset * 1.1 + index * (durationMs + standard.restMs) + 1)
          }
          assert.isBelow(all.at(-1)!, day)
        },
      ),
    )
  })

  it("does not hammer a receiver that takes its time to fail", () => {
    const all = attempts(() => 0, { durationMs: 15_000 })
    for (let index = 1; index < all.length; index++) assert.isAtLeast(all[index]! - all[index - 1]!, 16_000)
  })

  const failed = { failures: 1, startedAt: 0, finishedAt: 100, expiresAt: day }
  it.each([
    ["a longer pause than ours is kept", { retryAfterMs: hour }, hour + 100],
    ["a shorter one is not", { retryAfterMs: second }, 5 * second],
    ["one beyond the window is kept as far as it reaches", { retryAfterMs: 3 * day }, day - 60 * second],
    ["nothing is begun in the last minute", { finishedAt: day - 60 * second }, undefined],
    [
      "a worker that was away goes on where it stopped",
      { failures: 3, startedAt: 10 * hour, finishedAt: 10 * hour },
      10 * hour + 90 * second,
    ],
    [
      "what would pass the window is brought forward to its end",
      { failures: 10, startedAt: 12 * hour, finishedAt: 12 * hour },
      day - 60 * second,
    ],
    ["the eleventh failure is the last", { failures: 11 }, undefined],
  ])("%s", (_, changes, expected) =>
    assert.strictEqual(nextAttemptAt(standard, { ...failed, ...changes }, 0.5), expected),
  )
})

describe("Retry-After", () => {
  const now = Date.UTC(2026, 6, 9, 12)
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 09 Jul 2026 12:00:30 GMT", 30_000],
    ["Thu, 09 Jul 2026 11:00:00 GMT", 0],
    ["2026-07-09T13:00:00Z", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["1e9", undefined],
    ["99999999999", undefined],
    ["Thu, soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j asks for %j ms", (header, expected) => assert.strictEqual(retryAfter(header, now), expected))
})

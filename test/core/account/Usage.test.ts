import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { moveUsage } from "../../../adapters/store/upkeep/storeJobs.ts"
import { nextSpanStart, oldestKept, spanStart, Usage } from "../../../core/account/Usage.ts"

it.effect("the job that moves sums of usage pauses three times as long as it works, but 25 ms at most", () =>
  Effect.gen(function* () {
    const began: Array<number> = []
    const move = Effect.gen(function* () {
      began.push(yield* Clock.currentTimeMillis)
      yield* Effect.sleep(5 * began.length)
      return began.length < 4
    })
    const unasked = () => Effect.die("not asked")
    const job = yield* Effect.provideService(moveUsage, Usage, { move, sums: unasked, totals: unasked })
    const running = yield* Effect.fork(job.run as Effect.Effect<string>)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* Fiber.join(running), "moved 3 slices of sums")
    assert.deepStrictEqual(began, [0, 20, 55, 95])
  }),
)

it("spans begin with their hour, day or month in UTC, and are kept for 32 days, 550 days, or for ever", () => {
  const now = Date.UTC(2026, 10, 30, 7, 55)
  assert.deepStrictEqual(
    (["hour", "day", "month"] as const).map((span) => [
      spanStart(span, now),
      nextSpanStart(span, now),
      oldestKept(span, now),
    ]),
    [
      [Date.UTC(2026, 10, 30, 7), Date.UTC(2026, 10, 30, 8), Date.UTC(2026, 9, 29)],
      [Date.UTC(2026, 10, 30), Date.UTC(2026, 11, 1), Date.UTC(2025, 4, 1)],
      [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1), 0],
    ],
  )
  assert.strictEqual(nextSpanStart("month", Date.UTC(2026, 11, 1, 0, 1)), Date.UTC(2027, 0, 1))
  assert.deepStrictEqual([oldestKept("day", 1), oldestKept("hour", 1)], [0, 0])
})

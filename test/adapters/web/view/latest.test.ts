import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { latest } from "../../../../adapters/web/view/latest.ts"

describe("a value of a page", () => {
  it.effect("is waited for a second at first, also in a request that cannot be interrupted", () =>
    Effect.gen(function* () {
      const value = yield* latest("The board", Effect.never)
      const shown = yield* Effect.fork(Effect.uninterruptible(value))
      yield* TestClock.adjust("900 millis")
      assert.isNull(shown.unsafePoll())
      yield* TestClock.adjust("100 millis")
      assert.isUndefined(yield* Fiber.join(shown))
    }),
  )

  it.effect("is read once a minute, and absent after a failure", () =>
    Effect.gen(function* () {
      let reads = 0
      const value = yield* latest(
        "The count",
        Effect.suspend(() => (++reads === 2 ? Effect.fail("broken") : Effect.succeed(reads))),
      )
      const asked = Effect.zipLeft(value, Effect.yieldNow())
      assert.deepStrictEqual([yield* asked, yield* asked], [1, 1])
      yield* TestClock.adjust("61 seconds")
      yield* asked
      assert.isUndefined(yield* asked)
      yield* TestClock.adjust("61 seconds")
      yield* asked
      assert.strictEqual(yield* asked, 3)
    }),
  )
})

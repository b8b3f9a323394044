import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import { concurrencyLimit } from "../../../../adapters/runtime/upstream/concurrencyLimit.ts"
import { UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"
import * as CallContext from "../../../../core/CallContext.ts"

const down = new UpstreamError({ upstream: "it", reason: "timeout", message: "No answer in time." })

describe("turns at an upstream", () => {
  it.effect("are per attempt: waiting for a retry holds no slot", () =>
    Effect.gen(function* () {
      const turn = concurrencyLimit("it", { atOnce: 1, atMost: 2 })
      const hangs = turn(Effect.delay(Effect.fail(down), "8 seconds"))
      const first = yield* Effect.fork(
        Effect.retry(
          hangs,
          Schedule.addDelay(Schedule.once, () => "1 hour"),
        ),
      )
      const second = yield* Effect.fork(turn(Effect.succeed("good")))
      yield* TestClock.adjust("7 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(second)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(yield* Fiber.join(second), "good")
      yield* Fiber.interrupt(first)
    }),
  )

  it.effect("are so many at once, and beyond the crowd none is waited for; places come free again", () =>
    Effect.gen(function* () {
      const turn = concurrencyLimit("it", { atOnce: 2, atMost: 3 })
      const open = yield* Deferred.make<void>()
      let running = 0
      const one = CallContext.within(
        turn(
          Effect.zipRight(
            Effect.sync(() => running++),
            Deferred.await(open),
          ),
        ),
        0,
      )
      const crowd = yield* Effect.forEach([1, 2, 3], () => Effect.fork(one))
      yield* Effect.yieldNow()
      assert.strictEqual(running, 2)
      const refused = yield* Effect.flip(one)
      assert.deepStrictEqual([refused.reason, refused.upstream, running], ["busy", "it", 2])
      // An interrupted queued attempt frees its place.
      yield* Fiber.interrupt(crowd[2]!)
      const next = yield* Effect.fork(one)
      yield* Deferred.succeed(open, undefined)
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(next)))
      assert.strictEqual(running, 3)
    }),
  )
})

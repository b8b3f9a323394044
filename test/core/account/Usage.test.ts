import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { moveUsage } from "../../../adapters/store/upkeep/storeJobs.ts"
import { Usage } from "../../../core/account/Usage.ts"

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

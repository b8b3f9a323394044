import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { foldUsage } from "../../../../adapters/store/upkeep/storeJobs.ts"
import { Usage } from "../../../../core/account/Usage.ts"

it.effect("the job that sums usage pauses three times as long as it works, but 25 ms at most, and adds all rows", () =>
  Effect.gen(function* () {
    const began: Array<number> = []
    const fold = Effect.gen(function* () {
      began.push(yield* Clock.currentTimeMillis)
      yield* Effect.sleep(5 * began.length)
      return { rows: 1_000, more: began.length < 4, rests: true }
    })
    const unasked = () => Effect.die("not asked")
    const job = yield* Effect.provideService(foldUsage, Usage, { fold, sums: unasked, totals: unasked })
    const running = yield* Effect.fork(job.run as Effect.Effect<string>)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* Fiber.join(running), "added 4000 rows")
    assert.deepStrictEqual(began, [0, 20, 55, 95])
  }),
)

it.effect("and does not pause where the store does the work and is behind", () =>
  Effect.gen(function* () {
    let folds = 0
    const fold = Effect.sync(() => ({ rows: 1_000, more: ++folds < 4, rests: false }))
    const unasked = () => Effect.die("not asked")
    const job = yield* Effect.provideService(foldUsage, Usage, { fold, sums: unasked, totals: unasked })
    const running = yield* Effect.fork(job.run as Effect.Effect<string>)
    while (running.unsafePoll() === null) {
      yield* TestClock.adjust(0)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    }
    assert.strictEqual(yield* Fiber.join(running), "added 4000 rows")
    assert.strictEqual(yield* Clock.currentTimeMillis, 0)
  }),
)

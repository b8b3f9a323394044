import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { yieldToEventLoop } from "../../core/yieldToEventLoop.ts"

const busy = (millis: number): void => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

it.live.each([1, 2, 3])("%i fibers that work long each do one slice between two turns of the event loop", (fibers) =>
  Effect.gen(function* () {
    let slices = 0
    const between: Array<number> = []
    const slice = Effect.sync(() => {
      slices++
      busy(3)
    })
    const working = yield* Effect.fork(
      Effect.replicateEffect(Effect.replicateEffect(Effect.zipRight(slice, yieldToEventLoop), 20), fibers, {
        concurrency: "unbounded",
      }),
    )
    let watching = true
    const watch = () => {
      between.push(slices)
      slices = 0
      if (watching) setImmediate(watch)
    }
    setImmediate(watch)
    yield* Fiber.join(working)
    watching = false
    assert.strictEqual(slices + between.reduce((sum, each) => sum + each), 20 * fibers)
    assert.isAtMost(Math.max(...between), fibers)
  }),
)

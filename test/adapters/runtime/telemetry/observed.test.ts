import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { observe } from "../../../../adapters/runtime/telemetry/observed.ts"
import { Meter, noCounting } from "../../../../core/telemetry/Meter.ts"

it.effect("an attempt is counted by how it ended, with the time of its beginning", () =>
  Effect.gen(function* () {
    const told: Array<readonly [string, string, number]> = []
    let time = 0
    const meter = {
      ...noCounting,
      now: () => ++time,
      asked: (...end: readonly [string, string, number]) => void told.push(end),
    }
    const attempt = <A, E extends { readonly reason: string }>(effect: Effect.Effect<A, E>) =>
      observe("kraken")(effect).pipe(Effect.provideService(Meter, meter))

    assert.strictEqual(yield* attempt(Effect.succeed(7)), 7)
    assert.deepStrictEqual(yield* Effect.flip(attempt(Effect.fail({ reason: "timeout" }))), { reason: "timeout" })
    yield* Effect.exit(attempt(Effect.die("bug")))
    const fiber = yield* Effect.fork(attempt(Effect.never))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(told, [
      ["kraken", "ok", 1],
      ["kraken", "timeout", 2],
      ["kraken", "defect", 3],
      ["kraken", "interrupted", 4],
    ])
  }),
)

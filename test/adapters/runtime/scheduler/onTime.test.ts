import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { runOnTime } from "../../../../adapters/runtime/scheduler/onTime.ts"
import { Slot } from "../../../../core/jobs/Job.ts"

it.effect("a run counts up to two minutes after its slot, and a later one says what it would see", () =>
  Effect.gen(function* () {
    const slot = Date.UTC(2026, 6, 1, 12)
    const run = runOnTime("the books", (at) => Effect.succeed(`took ${at}`)).pipe(Effect.provideService(Slot, slot))
    yield* TestClock.setTime(slot)
    assert.strictEqual(yield* run, `took ${slot}`)
    yield* TestClock.setTime(slot + 120_000)
    assert.strictEqual(yield* run, `took ${slot}`)
    yield* TestClock.setTime(slot + 120_001)
    assert.deepStrictEqual(yield* Effect.flip(run), {
      _tag: "SlotOver",
      message: "Slot 2026-07-01T12:00:00.000Z was missed by more than 2 minutes; the books would see later data.",
    })
  }),
)

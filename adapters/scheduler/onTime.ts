import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type JobError, Slot } from "../../core/jobs/Job.ts"

/** Milliseconds after its slot at which a run would know too much of what came next. */
const tooLate = 120_000

/**
 * What is taken down for a slot while it is fresh. A run that comes two minutes late takes down nothing and fails with
 * `SlotOver`.
 *
 * @param what what would know too much, as the error names it
 */
export const onTime = <E, R>(
  what: string,
  take: (slot: number) => Effect.Effect<string, E, R>,
): Effect.Effect<string, E | JobError, R> =>
  Effect.gen(function* () {
    const slot = yield* Slot
    if ((yield* Clock.currentTimeMillis) - slot <= tooLate) return yield* take(slot)
    return yield* Effect.fail({
      _tag: "SlotOver",
      message: `The slot ${new Date(slot).toISOString()} has passed; ${what} would know what came after.`,
    })
  })

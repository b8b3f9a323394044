import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type JobError, Slot } from "../../../core/jobs/Job.ts"

/** Longest delay of a run after its slot, milliseconds: a later run would see data from after the slot. */
const maxDelayMs = 120_000

/**
 * Runs `take` for the current slot, or fails with `SlotOver` if the slot is more than two minutes old.
 *
 * @param what the data, in the error message, that would be read too late
 */
export const runOnTime = <E, R>(
  what: string,
  take: (slot: number) => Effect.Effect<string, E, R>,
): Effect.Effect<string, E | JobError, R> =>
  Effect.gen(function* () {
    const slot = yield* Slot
    if ((yield* Clock.currentTimeMillis) - slot <= maxDelayMs) return yield* take(slot)
    return yield* Effect.fail({
      _tag: "SlotOver",
      message: `Slot ${new Date(slot).toISOString()} was missed by more than 2 minutes; ${what} would see later data.`,
    })
  })

import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Schedule } from "./schedule.ts"

/**
 * The slot that a job is run for, epoch milliseconds; 0 outside a run. What a run writes down under this time instead of
 * the clock's is the same when the run is late or repeated by hand.
 */
export class Slot extends Context.Reference<Slot>()("core/jobs/Slot", { defaultValue: (): number => 0 }) {}

/** Any tagged error that says what happened. */
export interface JobError {
  readonly _tag: string
  readonly message: string
}

/** Something to be done again and again: a plain effect that can also be run once, by hand. */
export interface Job {
  /** Lower-case words joined by hyphens; the key of the run log, so it never changes. */
  readonly name: string
  /** One line for an operator. */
  readonly description: string
  readonly schedule: Schedule
  /**
   * What becomes of slots that passed while no scheduler ran or the job itself was still busy: `latest` makes up for all
   * of them with one run for the newest (also the first time it is seen at all), `none` lets them go and waits for the
   * next one.
   */
  readonly catchUp: "latest" | "none"
  /** A run that takes longer is interrupted and has failed. An hour unless told otherwise. */
  readonly limit?: Duration.DurationInput
  /** Its dependencies are captured when it is built. Succeeds with one line that says what was done. */
  readonly run: Effect.Effect<string, JobError>
}

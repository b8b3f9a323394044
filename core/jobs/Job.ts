import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Schedule } from "./schedule.ts"

/**
 * The slot that a job runs for, epoch milliseconds; 0 outside a run. Data stored under the slot instead of the clock's
 * time is the same when the run is late or repeated by hand.
 */
export class Slot extends Context.Reference<Slot>()("market-signals/core/jobs/Slot", {
  defaultValue: (): number => 0,
}) {}

/** Any tagged error with a message. */
export interface JobError {
  readonly _tag: string
  readonly message: string
}

/** A scheduled task: a plain effect that can also be run once, by hand. */
export interface Job {
  /** Lower-case words joined by hyphens; the key of the run log, so it never changes. */
  readonly name: string
  /** One line for an operator. */
  readonly description: string
  readonly schedule: Schedule
  /**
   * Slots missed while no scheduler ran or the job was still busy: `latest` makes one run for the newest (also when the
   * job is new), `none` skips them and waits for the next. A run that has begun and whose process died is taken over
   * either way.
   */
  readonly catchUp: "latest" | "none"
  /** A longer run is interrupted and fails. Default: 1 hour. */
  readonly limit?: Duration.DurationInput
  /** Its dependencies are captured when it is built. Succeeds with a one-line summary. */
  readonly run: Effect.Effect<string, JobError>
}

/** A job with the services of the place where it is built. */
export const makeJob = <R>({
  run,
  ...job
}: Omit<Job, "run"> & { readonly run: Effect.Effect<string, JobError, R> }): Effect.Effect<Job, never, R> =>
  Effect.map(Effect.context<R>(), (context) => ({ ...job, run: Effect.provide(run, context) }))

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Job } from "../../core/jobs/Job.ts"
import type { JobRuns } from "../../core/jobs/JobRuns.ts"
import { lastSlot, nextSlot } from "../../core/jobs/schedule.ts"
import { minute, second } from "../../core/time.ts"
import { attempt } from "./runOnce.ts"

export interface Options {
  /** How long running jobs may go on after the end was asked for. */
  readonly grace?: Duration.DurationInput
}

/** Without catch-up, a slot is still met within its first minute: timers are late, and so is a store that was busy. */
const punctual = minute

/** How soon a slot is tried again that could not be claimed because of the store or of a run that is still alive. */
const retry = 5 * second

/** No sleep is longer: a clock that was set or a machine that slept is noticed within this time. */
const longestSleep = 5 * minute

/** Meets the slots of one job, one at a time, until `stopping`. */
const supervise = (job: Job, stopping: Deferred.Deferred<void>): Effect.Effect<void, never, JobRuns> =>
  Effect.gen(function* () {
    const { schedule, catchUp } = job
    // The slot that needs nothing more. The run log is what decides; this saves asking it twice.
    let met = catchUp === "none" ? lastSlot(schedule, yield* Clock.currentTimeMillis) : undefined
    while (!(yield* Deferred.isDone(stopping))) {
      const now = yield* Clock.currentTimeMillis
      const slot = lastSlot(schedule, now)
      let wait = Math.min(nextSlot(schedule, now) - now, longestSleep)
      if (slot !== met) {
        if (catchUp === "none" && now - slot >= punctual) met = slot
        else if (yield* meet(job, slot)) {
          met = slot
          continue
        } else wait = Math.min(wait, retry)
      }
      yield* Effect.timeoutOption(Deferred.await(stopping), wait)
    }
  })

/** Whether the slot is dealt with, by this process or another. */
const meet = (job: Job, slot: number): Effect.Effect<boolean, never, JobRuns> =>
  attempt(job, slot, slot).pipe(
    Effect.map((result) => result._tag === "Finished" || result.why === "taken"),
    // The run log failed, not the job. Whatever it was, the other jobs and the next slots go on.
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logError(`Job ${job.name}: the run log does not answer`, cause), false),
    ),
  )

/** Lets running jobs finish, interrupts those that are left after `grace`, and waits no longer than a second for them. */
const stop = (
  stopping: Deferred.Deferred<void>,
  fibers: ReadonlyArray<Fiber.RuntimeFiber<void>>,
  grace: Duration.DurationInput,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Deferred.succeed(stopping, undefined)
    // What is awaited must be interruptible here, or the time limit would wait for it too.
    const ended = Effect.interruptible(Fiber.awaitAll(fibers))
    if (Option.isSome(yield* Effect.timeoutOption(ended, grace))) return
    yield* Effect.forEach(fibers, Fiber.interruptFork)
    yield* Effect.timeoutOption(ended, "1 second")
  })

/**
 * Runs every job at its slots while the scope is open, each in a fiber of its own: whatever one does, the others and its
 * own next slots are met. A job never overlaps itself, and a slot is run once across all processes on one run log.
 *
 * @example
 * Scheduler.layer([ingest, capture]).pipe(Layer.provide(JobRuns.layerMemory))
 */
export const layer = (
  jobs: ReadonlyArray<Job>,
  { grace = "5 seconds" }: Options = {},
): Layer.Layer<never, never, JobRuns> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const names = jobs.map(({ name }) => name)
      const twice = names.find((name, index) => names.indexOf(name) !== index)
      if (twice !== undefined) return yield* Effect.dieMessage(`Two jobs are called ${twice}.`)
      const stopping = yield* Deferred.make<void>()
      yield* Effect.acquireRelease(
        Effect.forEach(jobs, (job) => Effect.forkDaemon(Effect.interruptible(supervise(job, stopping)))),
        (fibers) => stop(stopping, fibers, grace),
      )
    }),
  )

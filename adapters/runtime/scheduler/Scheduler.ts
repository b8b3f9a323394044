import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Job } from "../../../core/jobs/Job.ts"
import { JobRuns } from "../../../core/jobs/JobRuns.ts"
import { lastSlot, nextSlot } from "../../../core/jobs/schedule.ts"
import { minute, second } from "../../../core/time.ts"
import * as TroubleLog from "../../../core/troubleLog.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { attempt } from "./runOnce.ts"

export interface Options {
  /** Time for running jobs to finish at shutdown. */
  readonly grace?: Duration.DurationInput
}

/** How late a slot may begin without catch-up, milliseconds, since timers and a busy store may be late. */
const maxDelayMs = minute

/** Pause before a slot is tried again that the store or another run did not let begin, milliseconds. */
const retryMs = 5 * second

/** Longest sleep, so that a changed clock or a suspended machine is noticed within this time. */
const maxSleepMs = 5 * minute

/** Runs the slots of one job, one at a time, until `stopping`. */
const supervise = (
  job: Job,
  stopping: Deferred.Deferred<void>,
  log: TroubleLog.TroubleLog,
): Effect.Effect<void, never, JobRuns> =>
  Effect.gen(function* () {
    const { schedule, catchUp } = job
    // The last slot that is known to be done, which saves a query. The run log decides.
    let lastDone = catchUp === "none" ? lastSlot(schedule, yield* Clock.currentTimeMillis) : undefined
    while (!(yield* Deferred.isDone(stopping))) {
      const now = yield* Clock.currentTimeMillis
      const slot = lastSlot(schedule, now)
      let wait = Math.min(nextSlot(schedule, now) - now, maxSleepMs)
      if (slot !== lastDone) {
        if (catchUp === "none" && now - slot >= maxDelayMs && !(yield* isUnderWay(job, slot))) lastDone = slot
        else {
          const again = yield* runSlot(job, slot, log)
          if (again === undefined) {
            lastDone = slot
            continue
          }
          wait = Math.min(wait, again)
        }
      }
      yield* Effect.timeoutOption(Deferred.await(stopping), wait)
    }
  })

/** Newest runs of a job among which a slot's run is searched: runs by hand may be newer. */
const searchedRuns = 10

/**
 * Whether another process has begun the slot and not finished it. Since it began on time, it is taken over if it falls silent,
 * also without catch-up.
 */
const isUnderWay = ({ name }: Job, slot: number): Effect.Effect<boolean, never, JobRuns> =>
  Effect.flatMap(JobRuns, (runs) => runs.recent(name, searchedRuns)).pipe(
    Effect.map((all) => all.some((run) => run.slot === slot && run.finished === undefined)),
    // Tried again until the run log answers.
    Effect.orElseSucceed(() => true),
  )

/** Runs a slot. Undefined: it is done, by this process or another. Else the time until it is tried again, ms. */
const runSlot = (
  job: Job,
  slot: number,
  log: TroubleLog.TroubleLog,
): Effect.Effect<number | undefined, never, JobRuns> =>
  attempt(job, slot, slot).pipe(
    Effect.tap(log.recovered),
    Effect.map((result) =>
      result._tag === "Finished" || result._tag === "Taken"
        ? undefined
        : result._tag === "Early"
          ? result.inMs
          : // A run of another process may yet fall silent.
            retryMs,
    ),
    // The run log failed, not the job: other jobs and later slots are not affected.
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.as(log.failed(cause), retryMs),
    ),
  )

/** Lets running jobs finish, interrupts the rest after `grace`, and waits at most one second for them. */
const stop = (
  stopping: Deferred.Deferred<void>,
  fibers: ReadonlyArray<Fiber.RuntimeFiber<void>>,
  grace: Duration.DurationInput,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Deferred.succeed(stopping, undefined)
    // Interruptible, or the time limit would wait for the fibers too.
    const ended = Effect.interruptible(Fiber.awaitAll(fibers))
    if (Option.isSome(yield* Effect.timeoutOption(ended, grace))) return
    yield* Effect.forEach(fibers, Fiber.interruptFork)
    yield* Effect.timeoutOption(ended, "1 second")
  })

/**
 * Runs every job at its slots while the scope is open, each in its own fiber, so that a failure affects neither other jobs
 * nor later slots. A job never overlaps itself, and a slot runs once across all processes on one run log.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import type { Job } from "../../../core/jobs/Job.ts"
 * import { JobRuns } from "../../../core/jobs/JobRuns.ts"
 * import { hourly } from "../../../core/jobs/schedule.ts"
 * import * as Scheduler from "./Scheduler.ts"
 *
 * const ingest: Job = {
 *   name: "ingest",
 *   description: "Reads the new reports",
 *   schedule: hourly(20),
 *   catchUp: "latest",
 *   run: Effect.succeed("3 reports"),
 * }
 * const running = Scheduler.layer([ingest]).pipe(Layer.provide(JobRuns.layerMemory))
 * Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(running))))
 * ```
 */
export const layer = (
  jobs: ReadonlyArray<Job>,
  { grace = "5 seconds" }: Options = {},
): Layer.Layer<never, never, JobRuns> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const names = jobs.map(({ name }) => name)
      const twice = names.find((name, index) => names.indexOf(name) !== index)
      if (twice !== undefined) return yield* Effect.dieMessage(`Two jobs have the name ${twice}.`)
      const stopping = yield* Deferred.make<void>()
      // All jobs share it, as they share the run log.
      const log = TroubleLog.make("Jobs wait: their run log does not answer.", "Jobs run again")
      yield* Effect.acquireRelease(
        Effect.forEach(jobs, (job, at) =>
          // One after another: together, their first steps would keep the event loop.
          Effect.forkDaemon(
            Effect.interruptible(Effect.zipRight(Effect.repeatN(yieldToEventLoop, at), supervise(job, stopping, log))),
          ),
        ),
        (fibers) => stop(stopping, fibers, grace),
      )
    }),
  )

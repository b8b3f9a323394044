import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { type Failure, fail } from "../../../core/Failure.ts"
import { type Job, type JobError, Slot } from "../../../core/jobs/Job.ts"
import {
  type Claim,
  type ClaimedRun,
  giveUpMs,
  heartbeatMs,
  type JobRun,
  JobRuns,
  type RunStatus,
} from "../../../core/jobs/JobRuns.ts"
import { lastSlot } from "../../../core/jobs/schedule.ts"
import * as Tracing from "../../../core/telemetry/Tracing.ts"
import { hour, second } from "../../../core/time.ts"

/** The result of a job run, or why it did not start. */
export type Attempt =
  | { readonly _tag: "Finished"; readonly outcome: RunStatus; readonly detail: string }
  /** Stopped, because another process takes the run over, and stores its result. */
  | { readonly _tag: "Lost" }
  | Exclude<Claim, { readonly _tag: "Claimed" }>

/** One line of at most 500 characters. */
const toLine = (text: string): string => {
  // Errors quote what others sent, and PostgreSQL cannot store U+0000.
  const flat = text.replaceAll("\u0000", " ").replace(/\s+/g, " ").trim()
  return flat.length <= 500 ? flat : `${flat.slice(0, 499)}…`
}

const showError = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const { _tag, code, message } = error as {
    readonly _tag?: unknown
    readonly code?: unknown
    readonly message?: unknown
  }
  const name = code ?? _tag
  return name === undefined ? String(message ?? error) : `${String(name)}: ${String(message ?? "")}`
}

const describeCause = (cause: Cause.Cause<JobError>): string =>
  Cause.isInterruptedOnly(cause) ? "Interrupted." : showError(Cause.squash(cause))

/** The cause of a failure, whose message the log already has; of a defect, everything. */
const findCause = (cause: Cause.Cause<JobError>): Cause.Cause<unknown> =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => cause,
    onSome: (error) => ("cause" in error && error.cause !== undefined ? Cause.fail(error.cause) : Cause.empty),
  })

/** The end of the job's last run before this one. */
const readLastEnd = ({ job, slot }: ClaimedRun): Effect.Effect<JobRun["finished"], never, JobRuns> =>
  Effect.flatMap(JobRuns, (runs) => runs.recent(job, 3)).pipe(
    Effect.map((all) => all.find((run) => run.slot !== slot && run.finished !== undefined)?.finished),
    Effect.orElseSucceed(() => undefined),
  )

/** Logs when a job begins to fail, once an hour while it fails, and when it works again. */
const logEnd = (
  name: string,
  finished: NonNullable<JobRun["finished"]>,
  before: JobRun["finished"],
  exit: Exit.Exit<string, JobError>,
): Effect.Effect<void> => {
  const hasFailed = before?.outcome === "failed"
  return Exit.match(exit, {
    onSuccess: () =>
      hasFailed
        ? Effect.logInfo(`Job ${name} works again: ${finished.detail}`)
        : Effect.logDebug(`Job ${name}: ${finished.detail}`),
    onFailure: (cause) =>
      hasFailed && Math.floor(before.at / hour) === Math.floor(finished.at / hour) && Cause.isFailure(cause)
        ? Effect.logDebug(`Job ${name} failed again: ${finished.detail}`)
        : Effect.logError(`Job ${name} failed: ${finished.detail}`, findCause(cause)),
  })
}

const overdueError = (limit: Duration.DurationInput): JobError => ({
  _tag: "JobOverdue",
  message: `Timed out after ${Duration.format(Duration.decode(limit))}.`,
})

/** Stores a heartbeat every 5 s. Ends with the reason when another process has taken the run over, or may do so. */
const beat = (run: ClaimedRun): Effect.Effect<string, never, JobRuns> =>
  Effect.gen(function* () {
    const runs = yield* JobRuns
    let storedAt = yield* Clock.currentTimeMillis
    let wait = heartbeatMs
    for (;;) {
      yield* Effect.sleep(wait)
      const sentAt = yield* Clock.currentTimeMillis
      const isKept = yield* runs.alive(run, sentAt).pipe(
        // A store that cannot be reached may never answer, not even to an interruption. At least one attempt of a second, as
        // the process may have been suspended meanwhile.
        Effect.disconnect,
        Effect.timeoutFail({
          duration: Math.max(giveUpMs - (sentAt - storedAt), second),
          onTimeout: () => fail("storage_unavailable"),
        }),
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.as(Effect.logWarning(`Job ${run.job}: heartbeat not stored`, cause), undefined),
        ),
      )
      if (isKept === false) return "another run of the job has begun"
      if (isKept) {
        storedAt = sentAt
        wait = heartbeatMs
      } else {
        if ((yield* Clock.currentTimeMillis) - storedAt >= giveUpMs) {
          return `no heartbeat could be stored for ${giveUpMs / second} s`
        }
        wait = second
      }
    }
  })

/**
 * Claims a slot, runs the job and stores the result. A job that fails, dies or times out is a finished run too; this
 * effect fails only if the store fails.
 *
 * @param claimed the slot to claim, absent for a run by hand; a slot finishes at most once
 * @param slot the job's `Slot`
 */
export const attempt = (
  { name, run, limit = "1 hour" }: Job,
  claimed: number | undefined,
  slot: number,
): Effect.Effect<Attempt, Failure, JobRuns> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const runs = yield* JobRuns
      const claim = yield* runs.claim(name, claimed, yield* Clock.currentTimeMillis)
      if (claim._tag !== "Claimed") return claim
      const fiber = yield* run.pipe(
        Effect.provideService(Slot, slot),
        Effect.timeoutFail({ duration: limit, onTimeout: () => overdueError(limit) }),
        (work) => Tracing.makeSpan(work, `job ${name}`, "internal", { "market_signals.job": name }),
        Effect.interruptible,
        Effect.fork,
      )
      let lost: string | undefined
      const beats = Effect.flatMap(beat(claim.run), (why) => {
        lost = why
        return Fiber.interruptFork(fiber)
      })
      const exit = yield* Effect.scoped(
        Effect.forkScoped(Effect.interruptible(beats)).pipe(
          Effect.zipRight(Effect.exit(restore(Fiber.await(fiber)))),
          // Gives the exit of the fiber, and interrupts the job if this effect was interrupted.
          Effect.zipRight(Fiber.interrupt(fiber)),
        ),
      )
      const finished: NonNullable<JobRun["finished"]> = {
        at: yield* Clock.currentTimeMillis,
        outcome: Exit.isSuccess(exit) ? "ok" : "failed",
        detail: toLine(Exit.match(exit, { onSuccess: (summary) => summary, onFailure: describeCause })),
      }
      if (Exit.isFailure(exit) && lost !== undefined) {
        yield* Effect.logWarning(`Job ${name} stopped: ${lost}`)
        return { _tag: "Lost" } as const
      }
      yield* logEnd(name, finished, claimed === undefined ? undefined : yield* readLastEnd(claim.run), exit)
      // Retried, since the work is done.
      const isStored = yield* runs
        .finish(claim.run, finished)
        .pipe(Effect.retry({ times: 5, schedule: Schedule.spaced("1 second") }))
      if (isStored) return { _tag: "Finished", outcome: finished.outcome, detail: finished.detail } as const
      yield* Effect.logWarning(`Job ${name}: another process has taken the run over`)
      return { _tag: "Lost" } as const
    }),
  )

/** Runs a job now, outside its schedule, unless it is already running. */
export const runOnce = (job: Job): Effect.Effect<Attempt, Failure, JobRuns> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => attempt(job, undefined, lastSlot(job.schedule, now)))

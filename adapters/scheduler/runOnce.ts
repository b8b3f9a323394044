import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../core/Failure.ts"
import { type Job, type JobError, Slot } from "../../core/jobs/Job.ts"
import { type Claim, heartbeatMs, JobRuns, type RunStatus } from "../../core/jobs/JobRuns.ts"
import { lastSlot } from "../../core/jobs/schedule.ts"

/** The result of a job run, or why it did not start. */
export type Attempt =
  | { readonly _tag: "Finished"; readonly outcome: RunStatus; readonly detail: string }
  | { readonly _tag: "NotBegun"; readonly why: Exclude<Claim, "claimed"> }

/** One line of at most 500 characters. */
const line = (text: string): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  return flat.length <= 500 ? flat : `${flat.slice(0, 499)}…`
}

const said = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const { _tag, code, message } = error as {
    readonly _tag?: unknown
    readonly code?: unknown
    readonly message?: unknown
  }
  const name = code ?? _tag
  return name === undefined ? String(message ?? error) : `${String(name)}: ${String(message ?? "")}`
}

const detailOf = (cause: Cause.Cause<JobError>): string =>
  Cause.isInterruptedOnly(cause) ? "Interrupted." : said(Cause.squash(cause))

const overdue = (limit: Duration.DurationInput): JobError => ({
  _tag: "JobOverdue",
  message: `Timed out after ${Duration.format(Duration.decode(limit))}.`,
})

/** Stores a heartbeat every 10 s. One that fails is only logged: three may be lost. */
const beating = (job: string, slot: number): Effect.Effect<never, never, JobRuns> =>
  JobRuns.pipe(
    Effect.flatMap((runs) => Effect.flatMap(Clock.currentTimeMillis, (now) => runs.alive(job, slot, now))),
    Effect.catchAll((failure) => Effect.logWarning(`Job ${job}: heartbeat not stored: ${failure.message}`)),
    Effect.delay(heartbeatMs),
    Effect.forever,
    Effect.interruptible,
  )

/**
 * Claims a slot, runs the job and stores the result. A job that fails, dies or times out is a finished run too; this
 * effect fails only if the store fails.
 *
 * @param claimed the slot to claim; a slot runs at most once
 * @param slot the job's `Slot`
 */
export const attempt = (
  { name, run, limit = "1 hour" }: Job,
  claimed: number,
  slot: number,
): Effect.Effect<Attempt, Failure, JobRuns> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const runs = yield* JobRuns
      const claim = yield* runs.claim(name, claimed, yield* Clock.currentTimeMillis)
      if (claim !== "claimed") return { _tag: "NotBegun", why: claim } as const
      const exit = yield* run.pipe(
        Effect.provideService(Slot, slot),
        Effect.timeoutFail({ duration: limit, onTimeout: () => overdue(limit) }),
        restore,
        (running) => Effect.scoped(Effect.zipRight(Effect.forkScoped(beating(name, claimed)), running)),
        Effect.exit,
      )
      const finished = {
        at: yield* Clock.currentTimeMillis,
        outcome: Exit.isSuccess(exit) ? ("ok" as const) : ("failed" as const),
        detail: line(Exit.match(exit, { onSuccess: (summary) => summary, onFailure: detailOf })),
      }
      yield* Exit.match(exit, {
        onSuccess: () => Effect.logDebug(`Job ${name}: ${finished.detail}`),
        onFailure: (cause) => Effect.logError(`Job ${name} failed: ${finished.detail}`, cause),
      })
      // Retried, since the work is done.
      yield* runs
        .finish(name, claimed, finished)
        .pipe(Effect.retry({ times: 5, schedule: Schedule.spaced("1 second") }))
      return { _tag: "Finished", outcome: finished.outcome, detail: finished.detail } as const
    }),
  )

/** Runs a job now, outside its schedule, unless it is already running. */
export const runOnce = (job: Job): Effect.Effect<Attempt, Failure, JobRuns> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => attempt(job, now, lastSlot(job.schedule, now)))

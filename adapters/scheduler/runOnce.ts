import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type { Failure } from "../../core/Failure.ts"
import { type Job, type JobError, Slot } from "../../core/jobs/Job.ts"
import { type Claim, heartbeat, JobRuns, type Outcome } from "../../core/jobs/JobRuns.ts"
import { lastSlot } from "../../core/jobs/schedule.ts"

/** What became of the attempt to run a job: its end, or why it was not begun. */
export type Attempt =
  | { readonly _tag: "Finished"; readonly outcome: Outcome; readonly detail: string }
  | { readonly _tag: "NotBegun"; readonly why: Exclude<Claim, "claimed"> }

/** One line that fits a table. */
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
  Cause.isInterruptedOnly(cause) ? "Interrupted before its end." : said(Cause.squash(cause))

const overdue = (limit: Duration.DurationInput): JobError => ({
  _tag: "JobOverdue",
  message: `Not done after ${Duration.format(Duration.decode(limit))}.`,
})

/** Says again and again that the run lives. A beat that cannot be stored is one of the three that may be lost. */
const beating = (job: string, slot: number): Effect.Effect<never, never, JobRuns> =>
  JobRuns.pipe(
    Effect.flatMap((runs) => Effect.flatMap(Clock.currentTimeMillis, (now) => runs.alive(job, slot, now))),
    Effect.catchAll((failure) => Effect.logWarning(`Job ${job}: ${failure.message}`)),
    Effect.delay(heartbeat),
    Effect.forever,
    Effect.interruptible,
  )

/**
 * Runs a job for a slot that nobody else has claimed, and writes down how it ended. A job that fails, dies or takes too
 * long is a finished run like any other; the only failure here is that of the store.
 *
 * @param claimed the slot to claim; a slot is run at most once
 * @param slot what the job reads as `Slot`
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
      // The work is done whether or not it can be written down at once.
      yield* runs
        .finish(name, claimed, finished)
        .pipe(Effect.retry({ times: 5, schedule: Schedule.spaced("1 second") }))
      return { _tag: "Finished", outcome: finished.outcome, detail: finished.detail } as const
    }),
  )

/** Runs a job now, beside whatever its schedule says, unless a run of it is still alive. */
export const runOnce = (job: Job): Effect.Effect<Attempt, Failure, JobRuns> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => attempt(job, now, lastSlot(job.schedule, now)))

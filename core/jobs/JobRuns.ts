import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import { day, second } from "../time.ts"

export type RunStatus = "ok" | "failed"

/** One run of a job. Times are epoch milliseconds. */
export interface JobRun {
  readonly job: string
  /** A slot of the schedule, or the time of a start by hand. */
  readonly slot: number
  /** Begins at 1; a run that fell silent is taken over as the next attempt. */
  readonly attempt: number
  /** Start of this attempt. */
  readonly startedAt: number
  /** Its process's last heartbeat. */
  readonly aliveAt: number
  readonly finished?: { readonly at: number; readonly outcome: RunStatus; readonly detail: string }
}

/** A run without a heartbeat for this long is interrupted: a quarter of the shortest period of a schedule. */
export const aliveTimeoutMs = 15 * second

/** Runs in the last 30 days before a job's newest run are never deleted: they decide which slots run again. */
export const retentionMs = 30 * day

/** Heartbeat period of a running job. */
export const heartbeatMs = 5 * second

/** A process that could not store a heartbeat for this long stops its run, before another one takes it over. */
export const giveUpMs = 10 * second

/** Maximum number of attempts of one run, for a job that crashes its process. */
export const maxAttempts = 5

export type State = RunStatus | "running" | "interrupted"

export const runState = ({ finished, aliveAt }: JobRun, now: number): State =>
  finished !== undefined ? finished.outcome : now - aliveAt > aliveTimeoutMs ? "interrupted" : "running"

/** A run as its process names it: holder and attempt tell it from one that another process has taken over. */
export interface ClaimedRun {
  readonly job: string
  readonly slot: number
  readonly holder: string
  readonly attempt: number
}

export type Claim =
  | { readonly _tag: "Claimed"; readonly run: ClaimedRun }
  /** The slot's run has finished, or had its last attempt. */
  | { readonly _tag: "Taken" }
  /** This run or another one of the job is still running: nothing claimed. */
  | { readonly _tag: "Busy" }
  /** The slot has not come by the store's clock. */
  | { readonly _tag: "Early"; readonly inMs: number }

/**
 * Port: the durable log of job runs, which also assigns each slot to one process.
 *
 * `now` is the caller's time; a store with a clock of its own goes by that.
 */
export class JobRuns extends Context.Tag("market-signals/core/jobs/JobRuns")<
  JobRuns,
  {
    /**
     * One atomic step: of all processes, at most one has a slot at a time. An unfinished run that fell silent is taken over
     * as its next attempt.
     *
     * @param slot absent: a run by hand, whose slot is the time of the claim
     */
    readonly claim: (job: string, slot: number | undefined, now: number) => Effect.Effect<Claim, Failure>
    /** Stores a heartbeat. False: the run is over, since it has finished or another run of the job has begun. */
    readonly alive: (run: ClaimedRun, now: number) => Effect.Effect<boolean, Failure>
    /** Only the first `finish` of a run has an effect. False: it was not the first, or another process has taken it over. */
    readonly finish: (run: ClaimedRun, finished: NonNullable<JobRun["finished"]>) => Effect.Effect<boolean, Failure>
    /** Newest first. */
    readonly recent: (job: string, limit: number) => Effect.Effect<ReadonlyArray<JobRun>, Failure>
    /** Deletes runs for slots before `before`, but none of a job's last 30 days; returns their number. */
    readonly prune: (before: number) => Effect.Effect<number, Failure>
  }
>() {
  /** For embedders and tests. */
  static readonly layerMemory: Layer.Layer<JobRuns> = Layer.sync(JobRuns, () => {
    let runs: ReadonlyArray<JobRun> = []
    const put = (run: JobRun): void => {
      runs = [...runs.filter(({ job, slot }) => job !== run.job || slot !== run.slot), run]
    }
    const claimed = ({ job, slot, attempt }: JobRun): ClaimedRun => ({ job, slot, attempt, holder: "memory" })
    const isRunning = (job: string, now: number, except?: number): boolean =>
      runs.some((run) => run.job === job && run.slot !== except && runState(run, now) === "running")
    const held = ({ job, slot, attempt }: ClaimedRun): JobRun | undefined =>
      runs.find((run) => run.job === job && run.slot === slot && run.attempt === attempt && run.finished === undefined)
    return {
      claim: (job, given, now) =>
        Effect.sync(() => {
          const slot = given ?? now
          if (slot > now) return { _tag: "Early", inMs: slot - now }
          const previous = runs.find((run) => run.job === job && run.slot === slot)
          if (previous?.finished !== undefined) return { _tag: "Taken" }
          if (isRunning(job, now)) return { _tag: "Busy" }
          const attempt = (previous?.attempt ?? 0) + 1
          if (attempt > maxAttempts) return { _tag: "Taken" }
          const run = { job, slot, attempt, startedAt: now, aliveAt: now }
          put(run)
          return { _tag: "Claimed", run: claimed(run) }
        }),
      alive: (given, now) =>
        Effect.sync(() => {
          const run = held(given)
          if (run === undefined || isRunning(run.job, now, run.slot)) return false
          put({ ...run, aliveAt: now })
          return true
        }),
      finish: (given, finished) =>
        Effect.sync(() => {
          const run = held(given)
          if (run !== undefined) put({ ...run, finished })
          return run !== undefined
        }),
      recent: (job, limit) =>
        Effect.sync(() =>
          runs
            .filter((run) => run.job === job)
            .sort((a, b) => b.slot - a.slot)
            .slice(0, limit),
        ),
      prune: (before) =>
        Effect.sync(() => {
          const newest = (job: string) => Math.max(...runs.filter((run) => run.job === job).map(({ slot }) => slot))
          const left = runs.filter(({ job, slot }) => slot >= before || slot > newest(job) - retentionMs)
          const forgotten = runs.length - left.length
          runs = left
          return forgotten
        }),
    }
  })
}

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
  readonly startedAt: number
  /** Its process's last heartbeat. */
  readonly aliveAt: number
  readonly finished?: { readonly at: number; readonly outcome: RunStatus; readonly detail: string }
}

/** A run without a heartbeat for this long counts as interrupted. */
export const aliveTimeoutMs = 45 * second

/** Runs in the last 30 days before a job's newest run are never deleted: they decide which slots run again. */
export const retentionMs = 30 * day

/** Heartbeat period of a running job; three may be lost. */
export const heartbeatMs = 10 * second

export type State = RunStatus | "running" | "interrupted"

export const stateOf = ({ finished, aliveAt }: JobRun, now: number): State =>
  finished !== undefined ? finished.outcome : now - aliveAt > aliveTimeoutMs ? "interrupted" : "running"

export type Claim =
  | "claimed"
  /** This slot was claimed before. */
  | "taken"
  /** Another run of the job is still running: nothing claimed. */
  | "busy"

/** Port: the durable log of job runs, which also assigns each slot to one process. */
export class JobRuns extends Context.Tag("core/jobs/JobRuns")<
  JobRuns,
  {
    /** One atomic step: of all processes, at most one gets `claimed` for a slot. */
    readonly claim: (job: string, slot: number, now: number) => Effect.Effect<Claim, Failure>
    readonly alive: (job: string, slot: number, now: number) => Effect.Effect<void, Failure>
    /** Only the first `finish` of a run has an effect. */
    readonly finish: (
      job: string,
      slot: number,
      finished: NonNullable<JobRun["finished"]>,
    ) => Effect.Effect<void, Failure>
    /** The newest runs of a job, newest first. */
    readonly recent: (job: string, limit: number) => Effect.Effect<ReadonlyArray<JobRun>, Failure>
    /** Deletes runs for slots before `before`, but none of a job's last 30 days; returns their number. */
    readonly prune: (before: number) => Effect.Effect<number, Failure>
  }
>() {
  /** Runs in memory, for embedders and tests. */
  static readonly layerMemory: Layer.Layer<JobRuns> = Layer.sync(JobRuns, () => {
    let runs: ReadonlyArray<JobRun> = []
    const change = (job: string, slot: number, to: (run: JobRun) => JobRun): Effect.Effect<void> =>
      Effect.sync(() => {
        runs = runs.map((run) => (run.job === job && run.slot === slot && run.finished === undefined ? to(run) : run))
      })
    return {
      claim: (job, slot, now) =>
        Effect.sync(() => {
          const own = runs.filter((run) => run.job === job)
          if (own.some((run) => run.slot === slot)) return "taken"
          if (own.some((run) => stateOf(run, now) === "running")) return "busy"
          runs = [...runs, { job, slot, startedAt: now, aliveAt: now }]
          return "claimed"
        }),
      alive: (job, slot, now) => change(job, slot, (run) => ({ ...run, aliveAt: now })),
      finish: (job, slot, finished) => change(job, slot, (run) => ({ ...run, finished })),
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

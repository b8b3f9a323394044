import * as Effect from "effect/Effect"
import { runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import { idle, type Operation } from "../../adapters/web/dashboard/Operation.ts"
import type { Job } from "../../core/jobs/Job.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { daily } from "../../core/jobs/schedule.ts"

/** A job of a test. */
export const jobOf = (name: string, run: Job["run"]): Job => ({
  name,
  description: `Does ${name}.`,
  schedule: daily("03:10"),
  catchUp: "none",
  run,
})

/** What a server does that runs these jobs when it is asked to, and remembers the runs. */
export const operationOf = (jobs: ReadonlyArray<Job>): Effect.Effect<Operation> =>
  Effect.map(Effect.provide(JobRuns, JobRuns.layerMemory), (runs) => ({
    ...idle,
    jobs,
    runs: runs.recent,
    start: (name) =>
      Effect.asVoid(
        Effect.forkDaemon(
          Effect.provideService(runOnce(jobs.find((job) => job.name === name)!), JobRuns, runs).pipe(Effect.orDie),
        ),
      ),
  }))

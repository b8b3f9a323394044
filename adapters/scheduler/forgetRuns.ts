import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Job } from "../../core/jobs/Job.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { daily } from "../../core/jobs/schedule.ts"
import { day } from "../../core/time.ts"

const keptDays = 90

/** Keeps the run log from growing for ever. */
export const forgetRuns: Effect.Effect<Job, never, JobRuns> = Effect.map(
  JobRuns,
  (runs): Job => ({
    name: "forget-runs",
    description: `Forget runs of jobs that are more than ${keptDays} days old.`,
    schedule: daily("03:10"),
    catchUp: "none",
    run: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return `forgot ${yield* runs.prune(now - keptDays * day)} runs`
    }),
  }),
)

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Job } from "../../core/jobs/Job.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { daily } from "../../core/jobs/schedule.ts"
import { day } from "../../core/time.ts"

const keptDays = 90

/** Limits the run log to 90 days. */
export const pruneRuns: Effect.Effect<Job, never, JobRuns> = Effect.map(
  JobRuns,
  (runs): Job => ({
    name: "prune-runs",
    description: `Delete job runs older than ${keptDays} days.`,
    schedule: daily("03:10"),
    catchUp: "none",
    run: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return `deleted ${yield* runs.prune(now - keptDays * day)} runs`
    }),
  }),
)

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import * as jobRuns from "../../../../adapters/store/upkeep/JobRuns.ts"
import { type Job, Slot } from "../../../../core/jobs/Job.ts"
import { type JobRun, JobRuns, runState, type State } from "../../../../core/jobs/JobRuns.ts"
import { every } from "../../../../core/jobs/schedule.ts"

export const minute = 60_000

/** Both run logs; each use builds one of its own. */
export const logs = [
  ["in memory", JobRuns.layerMemory],
  ["in SQLite", jobRuns.layer.pipe(Layer.provide(sqlite.layer(":memory:")))],
] as const

/** A job every five minutes. */
export const job = (name: string, run: Job["run"], changes: Partial<Job> = {}): Job => ({
  name,
  description: `The job ${name}.`,
  schedule: every(5),
  catchUp: "none",
  run,
  ...changes,
})

/** A run that performs `work` and appends its slot, in minutes, to `slots`. */
export const noting = (slots: Array<number>, work: Effect.Effect<unknown> = Effect.void): Job["run"] =>
  Effect.flatMap(Slot, (slot) => {
    slots.push(slot / minute)
    return Effect.as(work, "done")
  })

/** A claim's tag. */
export const claimTag = (job: string, slot: number | undefined, now: number) =>
  Effect.flatMap(JobRuns, (runs) => Effect.map(runs.claim(job, slot, now), ({ _tag }) => _tag))

/** A run that is claimed, or the test fails. */
export const claimed = (job: string, slot: number | undefined, now: number) =>
  Effect.flatMap(JobRuns, (runs) =>
    Effect.flatMap(runs.claim(job, slot, now), (claim) =>
      claim._tag === "Claimed" ? Effect.succeed(claim.run) : Effect.dieMessage(`${job} ${slot}: ${claim._tag}`),
    ),
  )

/** Slot in minutes and state of each run, oldest first. */
export const states = (
  name: string,
  now: number,
): Effect.Effect<ReadonlyArray<readonly [slot: number, state: State, run: JobRun]>, never, JobRuns> =>
  Effect.flatMap(JobRuns, (runs) => runs.recent(name, 1_000)).pipe(
    Effect.map((found) => found.map((run) => [run.slot / minute, runState(run, now), run] as const).reverse()),
    Effect.orDie,
  )

import * as Effect from "effect/Effect"
import type { Job } from "../../../../core/jobs/Job.ts"
import { hourly } from "../../../../core/jobs/schedule.ts"
import { gauges } from "../core/endpoints.ts"
import { Levels } from "../core/ports.ts"

/** Every hour: whether every gauge still answers. */
export const levelsJob: Effect.Effect<Job, never, Levels> = Effect.map(
  Levels,
  ({ at }): Job => ({
    name: "toy-levels",
    description: "Read every gauge.",
    schedule: hourly(5),
    catchUp: "latest",
    run: Effect.map(Effect.forEach(gauges, at), (levels) => `read ${levels.join(" and ")} cm`),
  }),
)

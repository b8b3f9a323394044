import * as Effect from "effect/Effect"
import type { Due } from "../../../../core/feeds/Due.ts"
import { attempting, type Feeds } from "../../../../core/feeds/Feeds.ts"
import { type Job, makeJob } from "../../../../core/jobs/Job.ts"
import { hourly } from "../../../../core/jobs/schedule.ts"
import { gauges } from "../core/endpoints.ts"
import { Levels } from "../core/ports.ts"

export const schedule = hourly(5)

export const levels: Due = {
  name: "toy_levels",
  title: "Levels of gauges",
  due: "Every hour.",
  absence: "Calls are refused.",
}

/** Every hour: whether every gauge still answers. */
export const levelsJob: Effect.Effect<Job, never, Feeds | Levels> = makeJob({
  name: "toy-levels",
  description: "Read every gauge.",
  schedule,
  catchUp: "latest",
  run: Effect.gen(function* () {
    const { at } = yield* Levels
    const read = yield* attempting(levels, Effect.forEach(gauges, at))
    return `read ${read.join(" and ")} cm`
  }),
})

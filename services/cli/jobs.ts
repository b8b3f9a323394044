import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type Attempt, runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import type { Job } from "../../core/jobs/Job.ts"
import { type JobRun, JobRuns, stateOf } from "../../core/jobs/JobRuns.ts"
import { nextSlot } from "../../core/jobs/schedule.ts"
import { iso } from "../../core/time.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"
import { UsageError } from "../exit.ts"
import { Jobs, layer as jobsOf } from "../jobs.ts"
import { argument } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

/** Jobs and their runs in the configured store. */
export const configured = Layer.unwrapEffect(
  Effect.map(environment, (config) =>
    jobsOf(config).pipe(Layer.provide(App.world(config)), Layer.provide(App.store(config))),
  ),
)

const lastOf = (run: JobRun) => ({
  slot: iso(run.slot),
  started_at: iso(run.startedAt),
  ...(run.finished === undefined
    ? {}
    : { finished_at: iso(run.finished.at), outcome: run.finished.outcome, detail: run.finished.detail }),
})

const listed = (job: Job, run: JobRun | undefined, now: number) => ({
  name: job.name,
  description: job.description,
  schedule: job.schedule.text,
  catch_up: job.catchUp,
  next_at: iso(nextSlot(job.schedule, now)),
  state: run === undefined ? "never_run" : stateOf(run, now),
  ...(run === undefined ? {} : { last: lastOf(run) }),
})

const lines = ({ name, description, schedule, next_at, state, last }: ReturnType<typeof listed>): string =>
  [
    `${name}  ${description}`,
    `  ${schedule}, next ${next_at}`,
    last === undefined ? "  never run" : `  ${state} ${last.started_at}${"detail" in last ? `: ${last.detail}` : ""}`,
  ].join("\n")

const list = make("list", "List jobs with their next slot and last run.", { json }, (options) =>
  Effect.gen(function* () {
    const runs = yield* JobRuns
    const now = yield* Clock.currentTimeMillis
    const jobs = yield* readable(
      Effect.forEach(yield* Jobs, (job) => Effect.map(runs.recent(job.name, 1), ([run]) => listed(job, run, now))),
    )
    yield* print(options.json, { jobs }, jobs.map(lines).join("\n"))
  }).pipe(Effect.provide(configured)),
)

/** A run by hand waits for one that is under way, which a server's schedule may just have begun. */
const whenIdle = Schedule.identity<Attempt>().pipe(
  Schedule.whileInput(({ _tag }) => _tag === "Busy"),
  Schedule.addDelay(() => "250 millis"),
  Schedule.upTo("30 seconds"),
)

/** Runs a job now and returns its outcome. */
export const runNow = (name: string) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const job = jobs.find((each) => each.name === name)
    if (job === undefined) {
      const names = jobs.map((each) => each.name).join(", ")
      return yield* Effect.fail(new UsageError(`Unknown job ${name}. Jobs: ${names}.`))
    }
    const attempt = yield* readable(Effect.repeat(runOnce(job), whenIdle))
    if (attempt._tag === "Lost") return yield* Effect.fail(new Error(`${name} was taken over by another process.`))
    if (attempt._tag !== "Finished")
      return yield* Effect.fail(new Error(`${name} is still running after 30 s. Try again later.`))
    return attempt
  })

const run = make(
  "run",
  "Run a job now, outside its schedule, and wait.",
  { name: argument("name"), json },
  ({ name, json: asJson }) =>
    Effect.gen(function* () {
      const { outcome, detail } = yield* runNow(name)
      yield* print(asJson, { job: name, outcome, detail }, `${outcome}: ${detail}`)
      if (outcome === "failed") return yield* Effect.fail(new Error(`${name} failed.`))
    }).pipe(Effect.provide(configured)),
)

export const jobs = family("jobs", "Scheduled jobs.", [list, run])

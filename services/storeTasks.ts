import { randomUUID } from "node:crypto"
import { rm } from "node:fs/promises"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import { perform, type Services } from "../adapters/admin/AdminOperation.ts"
import * as Verbs from "../adapters/admin/verbs.ts"
import { modules } from "../adapters/lanes/all.ts"
import type { IngestCommand, PrintLine } from "../adapters/lanes/LaneCommand.ts"
import type { Any } from "../adapters/lanes/LaneModule.ts"
import { clientsAndStores } from "../adapters/lanes/world.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import { type Attempt, runOnce } from "../adapters/runtime/scheduler/runOnce.ts"
import * as stores from "../adapters/store/open.ts"
import { readVersion } from "../adapters/store/schema/migrate.ts"
import { writeHeartbeat } from "../adapters/store/upkeep/gauges.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import type { Job } from "../core/jobs/Job.ts"
import { type JobRun, JobRuns, runState } from "../core/jobs/JobRuns.ts"
import { nextSlot } from "../core/jobs/schedule.ts"
import { catalogue } from "../core/lanes/all.ts"
import { iso } from "../core/time.ts"
import * as App from "./app.ts"
import { config as environment, type Settings, storePlace, worldConfig } from "./Config.ts"
import { UsageError } from "./exit.ts"
import { Jobs, layer as jobsOf } from "./jobs.ts"
import { decodeRequest, encodeExit, type Line } from "./messages.ts"

/** Services of all tasks. The stores of lanes are needed too, but cannot be typed here. */
type TaskServices = App.Store | App.World | JobRuns | Jobs | Services

/** A task on the store. The process that owns the store runs it: a server if there is one, otherwise the command itself. */
export interface StoreTask {
  /** Its services, built from the settings. */
  readonly layer: Layer.Layer<TaskServices, unknown>
  /** @param say receives lines of output */
  readonly run: (params: never, say: PrintLine) => Effect.Effect<unknown, Error, TaskServices>
}

const configured = <A, E, R>(layer: (config: Settings) => Layer.Layer<A, E, R>) =>
  Layer.unwrapEffect(Effect.map(environment, layer))

const store = configured(App.store)

/** Jobs and their runs in the configured store. */
export const jobsLayer = configured((config) =>
  jobsOf(config).pipe(Layer.provide(App.world(config)), Layer.provide(App.store(config))),
)

const showRun = (run: JobRun) => ({
  slot: iso(run.slot),
  started_at: iso(run.startedAt),
  ...(run.finished === undefined
    ? {}
    : { finished_at: iso(run.finished.at), outcome: run.finished.outcome, detail: run.finished.detail }),
})

const showJob = (job: Job, run: JobRun | undefined, now: number) => ({
  name: job.name,
  description: job.description,
  schedule: job.schedule.text,
  catch_up: job.catchUp,
  next_at: iso(nextSlot(job.schedule, now)),
  state: run === undefined ? "never_run" : runState(run, now),
  ...(run === undefined ? {} : { last: showRun(run) }),
})

const listJobs = Effect.gen(function* () {
  const runs = yield* JobRuns
  const now = yield* Clock.currentTimeMillis
  const all = yield* Effect.forEach(yield* Jobs, (job) =>
    Effect.map(runs.recent(job.name, 1), ([run]) => showJob(job, run, now)),
  )
  return { jobs: all }
})

/** A run by hand waits for one that is in progress, which the schedule may just have started. */
const whenIdle = Schedule.identity<Attempt>().pipe(
  Schedule.whileInput(({ _tag }) => _tag === "Busy"),
  Schedule.addDelay(() => "250 millis"),
  Schedule.upTo("30 seconds"),
)

/** Runs a job now and returns the finished attempt. */
export const runNow = (name: string) =>
  Effect.gen(function* () {
    const all = yield* Jobs
    const job = all.find((each) => each.name === name)
    if (job === undefined) {
      const names = all.map((each) => each.name).join(", ")
      return yield* Effect.fail(new UsageError(`Unknown job ${name}. Jobs: ${names}.`))
    }
    const attempt = yield* Effect.repeat(runOnce(job), whenIdle)
    if (attempt._tag === "Lost") return yield* Effect.fail(new Error(`${name} was taken over by another process.`))
    if (attempt._tag !== "Finished")
      return yield* Effect.fail(new Error(`${name} is still running after 30 s. Try again later.`))
    return attempt
  })

const ingest = (module: Any, { run }: IngestCommand<never>) => ({
  layer: configured((config) => clientsAndStores(module, worldConfig(config))).pipe(
    Layer.provide([FetchHttpClient.layer, hasher.layer, Feeds.layerNone]),
    Layer.provideMerge(store),
  ),
  run: (values: object, say: PrintLine) => Effect.provide(run(values, say), NodeContext.layer),
})

const fixedTasks = {
  jobs_list: { layer: jobsLayer, run: (_: object) => listJobs },
  jobs_run: { layer: jobsLayer, run: ({ name }: { readonly name: string }) => runNow(name) },
  store_migrate: {
    layer: configured((config) => stores.layer(storePlace(config))),
    run: (_: object) => Effect.map(readVersion, (schema) => ({ schema })),
  },
  backup_note: { layer: store, run: ({ at }: { readonly at: number }) => writeHeartbeat("backup", at) },
}

export type StoreTasks = typeof fixedTasks

const admin = Object.fromEntries(
  Object.values(Verbs.verbs(catalogue)).map((verb) => [
    verb.id,
    { layer: store, run: (params: never) => perform(verb as never, params) },
  ]),
)

/**
 * All tasks by name.
 *
 * @param lanes lanes whose ingests are added
 */
export const makeStoreTasks = (lanes: ReadonlyArray<Any>): Readonly<Record<string, StoreTask>> => {
  const ingests = lanes.flatMap((lane) =>
    lane.ingest === undefined
      ? []
      : [[`ingest_${lane.definition.lane.name}`, ingest(lane, lane.ingest as IngestCommand<never>)] as const],
  )
  return { ...admin, ...fixedTasks, ...Object.fromEntries(ingests) } as never
}

export const storeTasks = makeStoreTasks(modules)

/** Runs a task for another process. The task continues if that process goes away. */
const answer = async (
  runtime: Runtime.Runtime<TaskServices>,
  { run }: StoreTask,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const write = (line: Line) => void (response.destroyed || response.write(`${JSON.stringify(line)}\n`))
  const folder = join(tmpdir(), `market-signals-${randomUUID()}`)
  response.writeHead(200, { "content-type": "application/x-ndjson" })
  const exit = await Effect.tryPromise({
    try: () => decodeRequest(request, folder),
    catch: (error) => error as Error,
  }).pipe(
    Effect.flatMap((params) => run(params as never, (text) => Effect.sync(() => write({ text })))),
    Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true }))),
    Effect.tapDefect((cause) => Effect.logError("A task for another program failed", cause)),
    Runtime.runPromiseExit(runtime),
  )
  write(encodeExit(exit))
  response.end()
}

/**
 * Runs tasks for programs that connect to the store's socket.
 *
 * @param rest answers everything else
 */
export const listener = (rest: RequestListener): Effect.Effect<RequestListener, never, TaskServices> =>
  Effect.map(Effect.runtime<TaskServices>(), (runtime) => (request, response) => {
    const name = /^\/work\/(\w+)$/.exec(request.url ?? "")?.[1]
    const task = name === undefined ? undefined : storeTasks[name]
    return task === undefined ? rest(request, response) : answer(runtime, task, request, response)
  })

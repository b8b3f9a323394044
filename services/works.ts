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
import type { Ingest, Say } from "../adapters/lanes/LaneCommand.ts"
import type { Any } from "../adapters/lanes/LaneModule.ts"
import { clientsAndStores } from "../adapters/lanes/world.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import { type Attempt, runOnce } from "../adapters/runtime/scheduler/runOnce.ts"
import * as stores from "../adapters/store/open.ts"
import { readVersion } from "../adapters/store/schema/migrate.ts"
import { writeHeartbeat } from "../adapters/store/upkeep/gauges.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import type { Job } from "../core/jobs/Job.ts"
import { type JobRun, JobRuns, stateOf } from "../core/jobs/JobRuns.ts"
import { nextSlot } from "../core/jobs/schedule.ts"
import { catalogue } from "../core/lanes/all.ts"
import { Progress } from "../core/Progress.ts"
import { iso } from "../core/time.ts"
import * as App from "./app.ts"
import { config as environment, type Settings, storePlace, worldConfig } from "./Config.ts"
import { UsageError } from "./exit.ts"
import { Jobs, layer as jobsOf } from "./jobs.ts"
import { decodeRequest, encodeExit, type Line } from "./messages.ts"

/** What all works together need; the stores of lanes too, which a list of modules does not type. */
export type Needs = App.Store | App.World | JobRuns | Jobs | Services

/** Work that the owner of a store does for a command. If nobody owns the store, the command becomes the owner and does it. */
export interface Work {
  /** What it needs, in a program that has nothing yet. */
  readonly layer: Layer.Layer<Needs, unknown>
  /** @param say receives what is told before the result */
  readonly run: (params: never, say: Say) => Effect.Effect<unknown, Error, Needs>
}

const configured = <A, E, R>(layer: (config: Settings) => Layer.Layer<A, E, R>) =>
  Layer.unwrapEffect(Effect.map(environment, layer))

const store = configured(App.store)

/** Jobs and their runs in the configured store. */
export const jobs = configured((config) =>
  jobsOf(config).pipe(Layer.provide(App.world(config)), Layer.provide(App.store(config))),
)

const lastRun = (run: JobRun) => ({
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
  ...(run === undefined ? {} : { last: lastRun(run) }),
})

const listJobs = Effect.gen(function* () {
  const runs = yield* JobRuns
  const now = yield* Clock.currentTimeMillis
  const all = yield* Effect.forEach(yield* Jobs, (job) =>
    Effect.map(runs.recent(job.name, 1), ([run]) => listed(job, run, now)),
  )
  return { jobs: all }
})

/** A run by hand waits for one that is under way, which the schedule may just have begun. */
const whenIdle = Schedule.identity<Attempt>().pipe(
  Schedule.whileInput(({ _tag }) => _tag === "Busy"),
  Schedule.addDelay(() => "250 millis"),
  Schedule.upTo("30 seconds"),
)

/** Runs a job now and returns its outcome. */
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

/** Reads data into the stores of a lane. */
const ingest = (module: Any, { run }: Ingest<never>) => ({
  layer: configured((config) => clientsAndStores(module, worldConfig(config))).pipe(
    Layer.provide([FetchHttpClient.layer, hasher.layer, Feeds.layerNone]),
    Layer.provideMerge(store),
  ),
  run: (values: object, say: Say) => Effect.provide(run(values, say), NodeContext.layer),
})

const storeWorks = {
  jobs_list: { layer: jobs, run: (_: object) => listJobs },
  jobs_run: { layer: jobs, run: ({ name }: { readonly name: string }) => runNow(name) },
  store_migrate: {
    layer: configured((config) => stores.layer(storePlace(config))),
    run: (_: object) => Effect.map(readVersion, (schema) => ({ schema })),
  },
  backup_noted: { layer: store, run: ({ at }: { readonly at: number }) => writeHeartbeat("backup", at) },
}

export type Works = typeof storeWorks

const admin = Object.fromEntries(
  Object.values(Verbs.verbs(catalogue)).map((verb) => [
    verb.id,
    { layer: store, run: (params: never) => perform(verb as never, params) },
  ]),
)

/**
 * All works by name.
 *
 * @param lanes those whose ingests are among them; a list of modules does not type the clients and stores of each
 */
export const makeWorks = (lanes: ReadonlyArray<Any>): Readonly<Record<string, Work>> => {
  const ingests = lanes.flatMap((lane) =>
    lane.ingest === undefined
      ? []
      : [[`ingest_${lane.definition.lane.name}`, ingest(lane, lane.ingest as Ingest<never>)] as const],
  )
  return { ...admin, ...storeWorks, ...Object.fromEntries(ingests) } as never
}

export const works = makeWorks(modules)

/** Does a work for a program that asks. It goes on when the program has gone. */
const answer = async (
  runtime: Runtime.Runtime<Needs>,
  { run }: Work,
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
    Effect.provideService(Progress, (...progress) => Effect.sync(() => write({ progress }))),
    Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true }))),
    Effect.tapDefect((cause) => Effect.logError("Work for another program failed", cause)),
    Runtime.runPromiseExit(runtime),
  )
  write(encodeExit(exit))
  response.end()
}

/**
 * Does works for the programs that ask over the store's socket.
 *
 * @param rest answers everything else
 */
export const listener = (rest: RequestListener): Effect.Effect<RequestListener, never, Needs> =>
  Effect.map(Effect.runtime<Needs>(), (runtime) => (request, response) => {
    const name = /^\/work\/(\w+)$/.exec(request.url ?? "")?.[1]
    const work = name === undefined ? undefined : works[name]
    return work === undefined ? rest(request, response) : answer(runtime, work, request, response)
  })

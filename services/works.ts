import { mkdtempSync, rmSync } from "node:fs"
import * as fs from "node:fs/promises"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import { perform, type Services } from "../adapters/admin/AdminOperation.ts"
import * as Verbs from "../adapters/admin/verbs.ts"
import { modules } from "../adapters/lanes/all.ts"
import type { Ingest, Report, Say } from "../adapters/lanes/LaneCommand.ts"
import type { Any } from "../adapters/lanes/LaneModule.ts"
import { clientsAndStores } from "../adapters/lanes/world.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import { type Attempt, runOnce } from "../adapters/runtime/scheduler/runOnce.ts"
import * as stores from "../adapters/store/open.ts"
import * as settled from "../adapters/store/record/Settled.ts"
import { readVersion } from "../adapters/store/schema/migrate.ts"
import { Failure } from "../core/Failure.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import type { Job } from "../core/jobs/Job.ts"
import { type JobRun, JobRuns, stateOf } from "../core/jobs/JobRuns.ts"
import { nextSlot } from "../core/jobs/schedule.ts"
import { catalogue } from "../core/lanes/all.ts"
import { Progress, type Tell } from "../core/Progress.ts"
import { SettledStore } from "../core/record/scoreboard/SettledStore.ts"
import { iso } from "../core/time.ts"
import * as App from "./app.ts"
import { placeOf, type Settings, worldConfig } from "./Config.ts"
import { UsageError } from "./exit.ts"
import { Jobs, layer as jobsOf } from "./jobs.ts"

/** A part of a file on its way to the owner of the store: bytes travel, paths stay. */
export interface Part {
  /** The option that names the file, or its folder; which of the option's values; the last part of that. */
  readonly option: string
  readonly index: number
  readonly name: string
  /** The file in the folder. */
  readonly file?: string
  readonly base64: string
}

/** What goes and comes beside parameters and result: without files, paths are this program's own. */
interface Beside {
  readonly say: Say
  readonly files?: AsyncIterable<Part>
}

/** What the owner of a store does for commands. A command does it by itself where nobody owns the store. */
export interface Work<in Params, out Result, Needs> {
  readonly run: (params: Params, beside: Beside) => Effect.Effect<Result, Error, Needs>
  /** What it needs, in a program that has nothing yet. */
  readonly layer: (config: Settings) => Layer.Layer<Needs, unknown>
}

/** What all works together need; the stores of lanes too, which a list of modules does not type. */
export type Needs = App.Store | App.World | JobRuns | Jobs | Services

const make = <Params, Result, N>(layer: Work<Params, Result, N>["layer"], run: Work<Params, Result, N>["run"]) => ({
  run,
  layer,
})

const store = (config: Settings) => App.store(config)

/** Jobs and their runs in the configured store. */
export const jobs = (config: Settings) =>
  jobsOf(config).pipe(Layer.provide(App.world(config)), Layer.provide(App.store(config)))

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

/** Writes files that were sent into a folder of their own; the paths that options named, as they are there. */
const received = async (files: AsyncIterable<Part>, folder: string) => {
  const paths: Record<string, ReadonlyArray<string>> = {}
  for await (const { option, index, name, file, base64 } of files) {
    const target = join(folder, `${basename(option)}-${index}`, basename(name))
    const path = file === undefined ? target : join(target, basename(file))
    await fs.mkdir(dirname(path), { recursive: true })
    await fs.appendFile(path, base64, "base64")
    paths[option] = [...new Set([...(paths[option] ?? []), target])]
  }
  return paths
}

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "market-signals-ingest-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)

/** Reads data into the stores of a lane. */
const ingest = (module: Any, { run }: Ingest<never>) =>
  make<Readonly<Record<string, unknown>>, Report, never>(
    (config) =>
      clientsAndStores(module, worldConfig(config)).pipe(
        Layer.provide([FetchHttpClient.layer, hasher.layer, Feeds.layerNone]),
        Layer.provideMerge(App.store(config)),
      ) as Layer.Layer<never, unknown>,
    (values, { say, files }) =>
      Effect.gen(function* () {
        if (files === undefined) return yield* run(values, say)
        const folder = yield* temporary
        const paths = yield* Effect.tryPromise({
          try: () => received(files, folder),
          catch: (error) => error as Error,
        })
        return yield* run({ ...values, ...paths }, say)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
  )

/** Works of lanes that have an ingest; a list of modules does not type the clients and stores of each. */
export const ingests = (modules: ReadonlyArray<Any>) =>
  Object.fromEntries(
    modules
      .filter((module) => module.ingest !== undefined)
      .map((module) => [`ingest_${module.definition.lane.name}`, ingest(module, module.ingest as Ingest<never>)]),
  ) as unknown as Readonly<Record<string, Work<never, unknown, Needs>>>

const storeWorks = {
  jobs_list: make(jobs, (_: object) =>
    Effect.gen(function* () {
      const runs = yield* JobRuns
      const now = yield* Clock.currentTimeMillis
      const all = yield* Effect.forEach(yield* Jobs, (job) =>
        Effect.map(runs.recent(job.name, 1), ([run]) => listed(job, run, now)),
      )
      return { jobs: all }
    }),
  ),
  jobs_run: make(jobs, ({ name }: { readonly name: string }) => runNow(name)),
  scoreboard_rebuild: make(store, (_: object) =>
    Effect.flatMap(SettledStore, ({ rebuild }) => Effect.map(rebuild, (rows) => ({ rows }))).pipe(
      Effect.provide(settled.layerStore.pipe(Layer.provide(hasher.layer))),
    ),
  ),
  store_migrate: make(
    (config) => stores.layer(placeOf(config)),
    (_: object) => Effect.map(readVersion, (schema) => ({ schema })),
  ),
  backup_noted: make(store, ({ at }: { readonly at: number }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`INSERT INTO heartbeats (name, at) VALUES ('backup', ${at}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`,
    ),
  ),
}

export type Works = typeof storeWorks

const admin = Object.fromEntries(
  Object.values(Verbs.verbs(catalogue)).map((verb) => [
    verb.id,
    make<never, unknown, Services>(store, (params) => perform(verb as never, params)),
  ]),
)

/** All works by name. */
export const works = { ...admin, ...storeWorks, ...ingests(modules) } as unknown as Readonly<
  Record<string, Work<never, unknown, Needs>>
>

/** A line of an owner's answer. The last one says how the work ended; without a failure, nobody knows. */
export type Line =
  | { readonly line: string }
  | { readonly progress: Parameters<Tell> }
  | { readonly done: unknown }
  | {
      readonly failure:
        | (Partial<Pick<Failure, "code" | "hints" | "retryAfterMs">> & {
            readonly message: string
            readonly isUsage?: boolean
          })
        | undefined
    }

const lastLine = (exit: Exit.Exit<unknown, Error>): Line => {
  if (Exit.isSuccess(exit)) return { done: exit.value }
  const error = Cause.squash(exit.cause)
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Failure)) return { failure: { message, isUsage: error instanceof UsageError } }
  const { code, hints = [], retryAfterMs } = error
  return { failure: { code, message, hints, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
}

/** A line of progress is drawn ten times a second at most. */
const progressMs = 100

async function* readParts(lines: AsyncIterator<string>): AsyncGenerator<Part> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) yield JSON.parse(next.value)
}

/** Does a work for a program that asks. It goes on when the program has gone. */
const answer = async (
  runtime: Runtime.Runtime<Needs>,
  { run }: Work<never, unknown, Needs>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const write = (line: Line) => void (response.destroyed || response.write(`${JSON.stringify(line)}\n`))
  const lines = createInterface({ input: request })[Symbol.asyncIterator]()
  const { value: params } = await lines.next()
  response.writeHead(200, { "content-type": "application/x-ndjson" })
  let told = Number.NEGATIVE_INFINITY
  const tell: Tell = (...progress) =>
    Effect.sync(() => {
      if (performance.now() - told < progressMs) return
      told = performance.now()
      write({ progress })
    })
  const say: Say = (line) => Effect.sync(() => write({ line }))
  const exit = await run(JSON.parse(params) as never, { say, files: readParts(lines) }).pipe(
    Effect.provideService(Progress, tell),
    Effect.tapDefect((cause) => Effect.logError("Work for another program failed", cause)),
    Runtime.runPromiseExit(runtime),
  )
  // Who still sends would take a closed connection for the owner's end.
  while ((await lines.next()).done !== true);
  write(lastLine(exit))
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

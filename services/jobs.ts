import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as select from "../adapters/providers/select.ts"
import { captureJob, tapeJob } from "../adapters/scheduler/crypto.ts"
import { forgetRuns } from "../adapters/scheduler/forgetRuns.ts"
import type { Job } from "../adapters/scheduler/Job.ts"
import type { JobRuns } from "../adapters/scheduler/JobRuns.ts"
import { hourly } from "../adapters/scheduler/schedule.ts"
import * as candles from "../adapters/sql/Candles.ts"
import * as captures from "../adapters/sql/Captures.ts"
import * as jobRuns from "../adapters/sql/JobRuns.ts"
import { sweepIdempotency } from "../adapters/sql/sweepIdempotency.ts"
import type { Secrets } from "../core/account/Secrets.ts"
import { Crypto } from "../core/lanes/crypto/Crypto.ts"
import type { Settings } from "./Config.ts"

/** Every job of this service, its dependencies captured. */
export class Jobs extends Context.Tag("services/Jobs")<Jobs, ReadonlyArray<Job>>() {}

/** What a lane in live mode needs done: mock and shadow answers are never recorded, but shadow compares with a real tape. */
const crypto = (config: Settings) =>
  Effect.all([
    ...(config.crypto === "mock" ? [] : [tapeJob(config.upstreams)]),
    ...(config.crypto === "live" ? [captureJob] : []),
  ])

/** An Idempotency-Key stands for its call for a day. */
const idempotencySweep = Effect.map(
  Effect.context<SqlClient.SqlClient>(),
  (context): Job => ({
    name: "idempotency-sweep",
    description: "Forget the answers of idempotent calls that are more than 24 hours old.",
    schedule: hourly(40),
    catchUp: "none",
    run: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return `forgot ${yield* sweepIdempotency(now - 86_400_000)} answers`
    }).pipe(Effect.provide(context)),
  }),
)

/** The jobs that a configuration asks for, over a store. A new job is one more line here. */
export const layer = (config: Settings): Layer.Layer<Jobs | JobRuns, never, Secrets | SqlClient.SqlClient> =>
  Layer.effect(
    Jobs,
    Effect.map(Effect.all([Effect.all([forgetRuns, idempotencySweep]), crypto(config)]), (jobs) => jobs.flat()),
  ).pipe(
    Layer.provide([
      FetchHttpClient.layer,
      candles.layerStore,
      captures.layer,
      Crypto.layer.pipe(Layer.provide(select.crypto(config.crypto))),
    ]),
    Layer.provideMerge(jobRuns.layer),
  )

import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { captureJob, tapeJob } from "../adapters/lanes/crypto/jobs.ts"
import * as candles from "../adapters/lanes/crypto/store/Candles.ts"
import { footballIngestJob, footballScoreJob } from "../adapters/lanes/football/jobs.ts"
import * as footballArchive from "../adapters/lanes/football/store/Archive.ts"
import * as footballGames from "../adapters/lanes/football/store/Games.ts"
import { captureJob as contractsJob, quotesJob, settleJob } from "../adapters/lanes/markets/jobs.ts"
import * as nwsForecasts from "../adapters/lanes/weather/nws/forecasts.ts"
import { weatherReportsJob } from "../adapters/lanes/weather/reportsJob.ts"
import { weatherForecastsJob, weatherRecalibrationJob } from "../adapters/lanes/weather/signalJobs.ts"
import * as calibrations from "../adapters/lanes/weather/store/Calibrations.ts"
import * as climateReports from "../adapters/lanes/weather/store/ClimateReports.ts"
import * as select from "../adapters/providers/select.ts"
import { forgetRuns } from "../adapters/scheduler/forgetRuns.ts"
import { recordCheckpoint } from "../adapters/scheduler/recordCheckpoint.ts"
import { retention } from "../adapters/scheduler/retention.ts"
import * as auditTrail from "../adapters/sql/AuditTrail.ts"
import * as captures from "../adapters/sql/Captures.ts"
import type { Sqlite } from "../adapters/sql/client.sqlite.ts"
import * as jobRuns from "../adapters/sql/JobRuns.ts"
import * as outcomes from "../adapters/sql/Outcomes.ts"
import type { Secrets } from "../core/account/Secrets.ts"
import type { Job } from "../core/jobs/Job.ts"
import type { JobRuns } from "../core/jobs/JobRuns.ts"
import type { Settings } from "./Config.ts"
import { followed, layer as marketsOf } from "./markets.ts"
import { record, signer } from "./record.ts"

/** Every job of this service, its dependencies captured. */
export class Jobs extends Context.Tag("services/Jobs")<Jobs, ReadonlyArray<Job>>() {}

/** What a lane in live mode needs done: mock and shadow answers are never recorded, but shadow compares with a real tape. */
const crypto = (config: Settings) =>
  Effect.all([
    ...(config.crypto === "mock" ? [] : [tapeJob(config.upstreams)]),
    ...(config.crypto === "live" ? [captureJob] : []),
  ])

/** Shadow compares with real reports, so it needs them too. */
const weather = (config: Settings) =>
  Effect.all([
    ...(config.weather === "mock" ? [] : [weatherReportsJob(config.upstreams)]),
    ...(config.weather === "live" ? [weatherForecastsJob, weatherRecalibrationJob] : []),
  ])

/** Only lines over real games are recorded, and scored. */
const football = (config: Settings) =>
  Effect.all([
    ...(config.football === "mock" ? [] : [footballIngestJob(config.upstreams)]),
    ...(config.football === "live" ? [footballScoreJob] : []),
  ])

/** Shadow compares with real books; only what live lanes say of them is recorded, and scored. */
const markets = (config: Settings) =>
  Effect.all(
    followed(config).length === 0 ? [] : [quotesJob, ...(config.markets === "live" ? [contractsJob, settleJob] : [])],
  )

/** The jobs that a configuration asks for, over a store. A new job is one more line here. */
export const layer = (config: Settings): Layer.Layer<Jobs | JobRuns, never, Secrets | SqlClient.SqlClient | Sqlite> =>
  Layer.effect(
    Jobs,
    Effect.map(
      Effect.all([
        Effect.all([forgetRuns, retention(config.auditMonths), recordCheckpoint]),
        crypto(config),
        football(config),
        markets(config),
        weather(config),
      ]),
      (jobs) => jobs.flat(),
    ),
  ).pipe(
    Layer.provide([
      FetchHttpClient.layer,
      auditTrail.layer,
      candles.layerStore,
      climateReports.layerArchive,
      climateReports.layerReports,
      footballArchive.layer,
      footballGames.layer,
      outcomes.layer.pipe(Layer.provide(record)),
      nwsForecasts.layer(config.upstreams).pipe(Layer.provide(FetchHttpClient.layer)),
      calibrations.layerForecasts,
      calibrations.layerStore,
      calibrations.layerCalibrations,
      captures.layer.pipe(Layer.provide(record)),
      record,
      signer(config),
      select.crypto(config.crypto),
      marketsOf(config),
    ]),
    Layer.provideMerge(jobRuns.layer),
  )

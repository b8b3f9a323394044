import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServer from "../adapters/http/server.ts"
import * as Scheduler from "../adapters/scheduler/Scheduler.ts"
import { serverLock } from "../adapters/sql/sqlite.ts"
import { orUnavailable } from "../adapters/sql/storage.ts"
import { catalogue } from "../core/lanes/catalogue.ts"
import * as App from "./app.ts"
import { config as environment } from "./Config.ts"
import { exitWith } from "./exit.ts"
import { firstStart } from "./firstStart.ts"
import { Jobs, layer as jobsOf } from "./jobs.ts"

const main = Effect.gen(function* () {
  const config = yield* environment
  const http = Layer.unwrapEffect(
    Effect.map(Effect.all([SqlClient.SqlClient, App.admin(config)]), ([sql, admin]) =>
      HttpServer.layer(catalogue, {
        ...config.http,
        ready: Effect.asVoid(orUnavailable(sql`SELECT 1`)),
        ...(admin === undefined ? {} : { admin }),
      }),
    ),
  )
  const scheduler = Layer.unwrapEffect(Effect.map(Jobs, (jobs) => Scheduler.layer(jobs))).pipe(
    Layer.provide(jobsOf(config)),
  )
  const serving = Effect.gen(function* () {
    const { url } = yield* HttpServer.HttpAddress
    if (config.isDefaultStore) yield* firstStart
    yield* Console.log(`market-signals on ${url} (crypto: ${config.crypto}, weather: ${config.weather})`)
    yield* Console.log(`curl -H "Authorization: Bearer <key>" "${url}/v1/weather/settlement?station=KNYC"`)
    yield* Effect.never
  }).pipe(Effect.provide(http.pipe(Layer.provide(App.gateway(config)))))
  // Side by side, so that at the end calls drain while jobs finish.
  yield* Effect.all([serving, Layer.launch(scheduler)], { concurrency: "unbounded", discard: true }).pipe(
    Effect.provide(App.store(config).pipe(Layer.provideMerge(serverLock(config.sqliteFile)))),
  )
})

NodeRuntime.runMain(exitWith(main), { disableErrorReporting: true })

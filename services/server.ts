import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServer from "../adapters/http/server.ts"
import { serverLock } from "../adapters/sql/sqlite.ts"
import { orUnavailable } from "../adapters/sql/storage.ts"
import { catalogue } from "../core/lanes/catalogue.ts"
import * as App from "./app.ts"
import { config as environment } from "./Config.ts"
import { exitWith } from "./exit.ts"
import { firstStart } from "./firstStart.ts"

const main = Effect.gen(function* () {
  const config = yield* environment
  const http = Layer.unwrapEffect(
    Effect.map(SqlClient.SqlClient, (sql) =>
      HttpServer.layer(catalogue, { ...config.http, ready: Effect.asVoid(orUnavailable(sql`SELECT 1`)) }),
    ),
  )
  const app = http.pipe(
    Layer.provide(App.gateway(config)),
    Layer.provideMerge(App.store(config)),
    Layer.provideMerge(serverLock(config.sqliteFile)),
  )
  yield* Effect.gen(function* () {
    const { url } = yield* HttpServer.HttpAddress
    if (config.isDefaultStore) yield* firstStart
    yield* Console.log(`market-signals on ${url} (weather: ${config.weather})`)
    yield* Console.log(`curl -H "Authorization: Bearer <key>" "${url}/v1/weather/settlement?station=KNYC"`)
    yield* Effect.never
  }).pipe(Effect.provide(app))
})

NodeRuntime.runMain(exitWith(main), { disableErrorReporting: true })

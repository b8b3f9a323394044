import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as OpenFiles from "../adapters/runtime/node/openFiles.ts"
import * as Scheduler from "../adapters/runtime/scheduler/Scheduler.ts"
import * as Counts from "../adapters/runtime/telemetry/counts.ts"
import { Sources, watching } from "../adapters/runtime/upstream/breaker.ts"
import type { Ready } from "../adapters/server/http/health.ts"
import { AdminAddress, MetricsAddress } from "../adapters/server/http/operatorServers.ts"
import * as HttpServer from "../adapters/server/http/server.ts"
import { serverLock } from "../adapters/store/engine/sqlite/open.ts"
import * as Web from "../adapters/web/layer.ts"
import { AccessLog } from "../core/gateway/AccessLog.ts"
import { catalogue } from "../core/lanes/all.ts"
import { WarmUp } from "../core/lanes/WarmUp.ts"
import * as App from "./app.ts"
import { config as environment, modesOf } from "./Config.ts"
import { firstStart, nextSteps } from "./firstStart.ts"
import { Jobs, layer as jobsOf, operation } from "./jobs.ts"
import * as Metrics from "./metrics.ts"
import * as Payments from "./payments.ts"
import * as Readiness from "./readiness.ts"
import { signer } from "./record.ts"
import * as Telemetry from "./telemetry.ts"

/** Serves until it is interrupted. */
export const serve = Effect.gen(function* () {
  const asked = yield* environment
  yield* Payments.checked(asked)
  const most = OpenFiles.connections(asked.network.most)
  if (most < asked.network.most) {
    yield* Effect.logInfo(`${most} connections at most: ulimit -n is too low for MAX_CONNECTIONS`)
  }
  const config = { ...asked, network: { ...asked.network, most } }
  const isServing = yield* Deferred.make<void>()
  const counts = Option.isSome(config.metrics.listen) ? Counts.make(catalogue) : undefined
  const http = (ready: Ready) =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const routes = yield* App.routes(config, yield* operation(ready, modesOf(config)))
        return Web.layer(catalogue, {
          ...config.http,
          ...App.network(config),
          routes,
          discovery: yield* App.discovery(config),
          ready,
          pauseMs: config.stopPauseMs,
        })
      }),
    )
  const scheduler = Layer.unwrapEffect(Effect.map(Jobs, (jobs) => Scheduler.layer(jobs)))
  const serving = (ready: Ready) =>
    Effect.gen(function* () {
      const { url } = yield* HttpServer.HttpAddress
      if (config.isDefaultStore) yield* firstStart(url)
      const modes = catalogue.lanes.flatMap(({ name }) => (name in config ? [`${name}: ${modesOf(config)[name]}`] : []))
      yield* Console.log(`market-signals on ${url} (${modes.join(", ")})`)
      yield* Console.log(`curl -H "Authorization: Bearer <key>" "${url}/v1/weather/settlement?station=KNYC"`)
      const { at } = yield* AdminAddress
      if (at !== undefined) yield* Console.log(`Admin API on ${at}`)
      else if (Option.isSome(config.admin.token)) {
        yield* Effect.logWarning("ADMIN_TOKEN is set without ADMIN_LISTEN: the admin API is off")
      }
      const metrics = yield* MetricsAddress
      if (metrics.at !== undefined) yield* Console.log(`Metrics on ${metrics.at}`)
      if (!config.isDefaultStore) yield* nextSteps
      // Whoever waits for the start asks at once: neither that probe nor that call is behind the long work.
      yield* Effect.zipRight(ready, Effect.sleep("200 millis"))
      yield* Deferred.succeed(isServing, undefined)
      yield* Effect.never
    }).pipe(Effect.provide(Layer.mergeAll(http(ready), App.admin(config), Metrics.layer(config, counts, ready))))
  // Concurrent, so that during shutdown calls drain while jobs and deliveries finish.
  const background = [Layer.launch(scheduler), Layer.launch(App.delivery(config))]
  yield* Effect.all([Effect.flatMap(Readiness.make(modesOf(config)), serving), ...background], {
    concurrency: "unbounded",
    discard: true,
  }).pipe(
    Effect.provide(
      Layer.merge(jobsOf(config), signer(config)).pipe(
        Layer.provideMerge(App.gateway(config)),
        Layer.provideMerge(App.store(config)),
        // Nodes of one database run together.
        Layer.provideMerge(Option.isSome(config.postgres) ? Layer.empty : serverLock(config.sqliteFile)),
      ),
    ),
    // The first caller does not wait for long work; commands need none.
    Effect.provideService(WarmUp, Deferred.await(isServing)),
    Effect.provideService(AccessLog, config.accessLog),
    Effect.provideService(Sources, watching()),
    Effect.provide(Telemetry.layer(config, counts)),
  )
})

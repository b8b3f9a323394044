import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { perform } from "../adapters/admin/AdminOperation.ts"
import { peopleVerbs } from "../adapters/admin/peopleVerbs.ts"
import * as OpenFiles from "../adapters/runtime/node/openFiles.ts"
import * as Scheduler from "../adapters/runtime/scheduler/Scheduler.ts"
import * as Counts from "../adapters/runtime/telemetry/counts.ts"
import * as Otlp from "../adapters/runtime/telemetry/otlp.ts"
import * as Spans from "../adapters/runtime/telemetry/spans.ts"
import { makeSourceList, Sources } from "../adapters/runtime/upstream/breaker.ts"
import type { Ready } from "../adapters/server/http/health.ts"
import { AdminAddress, MetricsAddress } from "../adapters/server/http/operatorServers.ts"
import * as HttpServer from "../adapters/server/http/server.ts"
import { serverRole, takeAlone } from "../adapters/store/engine/sqlite/owner.ts"
import * as Web from "../adapters/web/layer.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { AccessLog } from "../core/gateway/AccessLog.ts"
import { catalogue } from "../core/lanes/all.ts"
import { Installation } from "../core/operation/Installation.ts"
import * as Release from "../core/release.ts"
import { type Counting, Meter, noCounting } from "../core/telemetry/Meter.ts"
import { Tracing } from "../core/telemetry/Tracing.ts"
import { WarmUp } from "../core/WarmUp.ts"
import * as App from "./app.ts"
import { config as environment, laneModes, type Settings } from "./Config.ts"
import { Jobs, layer as jobsOf, operation } from "./jobs.ts"
import * as Metrics from "./metrics.ts"
import * as Payments from "./payments.ts"
import * as probes from "./probes.ts"
import { program } from "./programName.ts"
import * as Readiness from "./readiness.ts"
import { signer } from "./record.ts"
import { makeAhead } from "./rowFiles.ts"
import { listener } from "./storeTasks.ts"

/** Counts and traces, if configured. This layer encloses everything that is counted and traced. */
const telemetry = ({ traces: { endpoint, ratio } }: Settings, counts: Counting = noCounting): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.succeed(Meter, counts),
    onSome: (url) =>
      Layer.unwrapScoped(
        Effect.map(
          Effect.flatMap(HttpClient.HttpClient, (client) => Otlp.makeExporter({ endpoint: url, client })),
          (send) =>
            Layer.mergeAll(
              Layer.setTracer(Spans.makeTracer(ratio, send)),
              Layer.succeed(Tracing, Spans.makeSampler(ratio, send)),
              Layer.succeed(Meter, Spans.withCommits(counts, ratio, send)),
            ),
        ),
      ).pipe(Layer.provide(FetchHttpClient.layer)),
  })

const gift = MicroUsd(10_000_000)

/** For a configured store without accounts: logs how to create one. */
const nextSteps = (file: string) =>
  Effect.gen(function* () {
    const { accounts } = yield* Installation
    const newest = yield* Effect.either(accounts("", 1))
    if (Either.isLeft(newest)) return yield* Effect.logError(newest.left.message)
    if (newest.right.length > 0) return
    const store = file === ":memory:" ? "" : ` and DATABASE_URL=sqlite:${file}`
    yield* Console.log(`No account yet. With the same environment${store}: ${program} account create --name me`)
    yield* Console.log(
      `Then ${program} keys create --account me --env live, and ${program} dashboard link --account me`,
    )
  })

/** For the default store without accounts: creates one with 10 USD and prints its two keys, once. */
const firstStart = (url: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    if ((yield* accounts.list({ limit: 1 })).length > 0) return
    const account = yield* accounts.create("local")
    yield* accounts.credit(account.id, gift)
    for (const environment of ["test", "live"] as const) {
      const { plaintext } = yield* accounts.issueKey({ account: account.id, environment, tier: "indie" })
      yield* Console.log(`${environment} key  ${Redacted.value(plaintext)}`)
    }
    yield* Console.log("The account `local` has 10 USD. Save its keys now. Only their hashes are stored.\n")
    const { path } = yield* perform(peopleVerbs.dashboardLink, { account: account.id })
    yield* Console.log(`Dashboard, signed in once within 10 minutes: ${url}${path}\n`)
  })

/** Prints the addresses of the server. */
const announce = Effect.fnUntraced(function* (config: Settings, url: string) {
  const modes = catalogue.lanes.flatMap(({ name }) => (name in config ? [`${name}: ${laneModes(config)[name]}`] : []))
  yield* Console.log(`market-signals on ${url} (${modes.join(", ")})`)
  yield* Console.log(`curl -H "Authorization: Bearer <key>" "${url}/v1/weather/settlement?station=KNYC"`)
  const { address: at } = yield* AdminAddress
  if (at !== undefined) yield* Console.log(`Admin API on ${at}`)
  else if (Option.isSome(config.admin.token)) {
    yield* Effect.logWarning("ADMIN_TOKEN is set without ADMIN_LISTEN: the admin API is off")
  }
  const metrics = yield* MetricsAddress
  if (metrics.address !== undefined) yield* Console.log(`Metrics on ${metrics.address}`)
})

/** Serves until interrupted. */
export const serve = Effect.gen(function* () {
  const settings = yield* environment
  yield* Payments.checkNetwork(settings)
  const maxConnections = OpenFiles.limitConnections(settings.network.maxConnections)
  if (maxConnections < settings.network.maxConnections) {
    yield* Effect.logInfo(`${maxConnections} connections at most: ulimit -n is too low for MAX_CONNECTIONS`)
  }
  const config = { ...settings, network: { ...settings.network, maxConnections } }
  // Several nodes of one database may run at the same time.
  const owned = Option.isSome(config.postgres)
    ? undefined
    : yield* takeAlone(config.sqliteFile, { role: serverRole, version: Release.version })
  const isServing = yield* Deferred.make<void>()
  const kept = Option.isNone(config.cryptoModel) ? App.filesBeside(config.sqliteFile, "demonstration") : undefined
  const made = yield* Effect.cached(kept === undefined ? Effect.void : makeAhead(kept))
  const counts = Option.isSome(config.metrics.listen) ? Counts.make(catalogue) : undefined
  const http = (ready: Ready) =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const routes = yield* App.routes(config, yield* operation(ready, laneModes(config)))
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
      if (owned !== undefined) {
        const base = Option.getOrElse(config.http.baseUrl, () => url)
        yield* owned.serve(yield* listener(yield* App.localCalls(config, true)), base)
      }
      if (config.isDefaultStore) yield* firstStart(url)
      yield* announce(config, url)
      if (!config.isDefaultStore) yield* nextSteps(config.sqliteFile)
      // Probes and the first calls come right after the start and must not wait for the long work.
      yield* Effect.zipRight(ready, Effect.sleep("200 millis"))
      yield* Deferred.succeed(isServing, undefined)
      yield* Effect.zipRight(probes.probeAtStart(config), Effect.never)
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.mergeAll(http(ready), App.admin(config), Metrics.layer(config, counts, ready))),
    )
  // Concurrent, so that at shutdown calls drain while jobs and deliveries finish.
  const background = [Layer.launch(scheduler), Layer.launch(App.delivery(config)), Layer.launch(App.alerts)]
  yield* Effect.all([Effect.flatMap(Readiness.make(laneModes(config), config.unaccepted), serving), ...background], {
    concurrency: "unbounded",
    discard: true,
  }).pipe(
    Effect.provide(
      Layer.merge(jobsOf(config), signer(config)).pipe(
        Layer.provideMerge(App.gateway(config)),
        Layer.provideMerge(App.store(config)),
      ),
    ),
    // So that the first caller need not wait for long work, which commands do not need.
    Effect.provideService(WarmUp, config.warmsUp ? Effect.zipRight(Deferred.await(isServing), made) : undefined),
    Effect.provideService(AccessLog, config.accessLog),
    Effect.provideService(Sources, makeSourceList()),
    Effect.provide(telemetry(config, counts)),
  )
}).pipe(Effect.scoped)

import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Records from "effect/Record"
import type { Board } from "../adapters/describe/figures.ts"
import * as Sources from "../adapters/describe/figures.ts"
import * as fullText from "../adapters/describe/fullText.ts"
import { guides } from "../adapters/describe/guides.ts"
import { errorPath } from "../adapters/describe/paths.ts"
import { resourceUris } from "../adapters/describe/tools/protocol.ts"
import { modules } from "../adapters/lanes/all.ts"
import type { Services } from "../adapters/lanes/LaneModule.ts"
import { stationDays } from "../adapters/lanes/weather/store/ClimateReports.ts"
import * as voids from "../adapters/lanes/weather/store/Voids.ts"
import * as Worlds from "../adapters/lanes/world.ts"
import * as hasher from "../adapters/runtime/node/hasher.ts"
import { moduleModel } from "../adapters/runtime/node/moduleModel.ts"
import * as secrets from "../adapters/runtime/node/secrets.ts"
import * as Oidc from "../adapters/runtime/oidc/provider.ts"
import * as Admin from "../adapters/server/http/admin.ts"
import * as AlertEvents from "../adapters/server/http/alertEvents.ts"
import { trustsNobody } from "../adapters/server/http/clientAddress.ts"
import * as Listener from "../adapters/server/http/listener.ts"
import * as OperatorServers from "../adapters/server/http/operatorServers.ts"
import * as PaymentRoutes from "../adapters/server/http/payments.ts"
import * as Rest from "../adapters/server/http/rest.ts"
import * as Route from "../adapters/server/http/route.ts"
import * as Mcp from "../adapters/server/mcp/http.ts"
import * as client from "../adapters/server/webhooks/client.ts"
import * as guard from "../adapters/server/webhooks/guard.ts"
import * as mail from "../adapters/server/webhooks/mail.ts"
import * as worker from "../adapters/server/webhooks/worker.ts"
import * as accountStore from "../adapters/store/account/AccountStore.ts"
import * as agentStore from "../adapters/store/account/AgentStore.ts"
import * as names from "../adapters/store/account/Names.ts"
import * as auditTrail from "../adapters/store/audit/AuditTrail.ts"
import * as calls from "../adapters/store/audit/Calls.ts"
import * as usage from "../adapters/store/audit/Usage.ts"
import * as changes from "../adapters/store/engine/changes.ts"
import type { DiskSpace } from "../adapters/store/engine/diskGuard.ts"
import type { Transactions } from "../adapters/store/engine/Transactions.ts"
import * as alertStore from "../adapters/store/events/AlertStore.ts"
import * as deliveryQueue from "../adapters/store/events/DeliveryQueue.ts"
import * as sealedSecrets from "../adapters/store/events/sealSecrets.ts"
import * as webhookStore from "../adapters/store/events/WebhookStore.ts"
import * as stores from "../adapters/store/open.ts"
import * as peopleStore from "../adapters/store/people/PeopleStore.ts"
import * as captures from "../adapters/store/record/Captures.ts"
import * as installation from "../adapters/store/upkeep/Installation.ts"
import { listLaneDays } from "../adapters/store/upkeep/laneDays.ts"
import * as Dashboard from "../adapters/web/dashboard/app.ts"
import type { Operation } from "../adapters/web/dashboard/Operation.ts"
import { allPages } from "../adapters/web/dashboard/pages/all.ts"
import * as Demo from "../adapters/web/demo.ts"
import type * as Discovery from "../adapters/web/docs/pages.ts"
import * as Install from "../adapters/web/install/app.ts"
import { partsIn } from "../adapters/web/install/handed.ts"
import type { Options as HttpOptions } from "../adapters/web/layer.ts"
import { failurePages } from "../adapters/web/NotFound.tsx"
import * as Proof from "../adapters/web/record/proof.ts"
import * as ScoreboardPages from "../adapters/web/scoreboard/app.ts"
import * as Subjects from "../adapters/web/subjects/app.ts"
import { PerAccount } from "../core/account/AccountStore.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import type { PlatformCrypto } from "../core/account/PlatformCrypto.ts"
import { Alerts } from "../core/alerts/Alerts.ts"
import * as alertRunner from "../core/alerts/runner.ts"
import { BaseUrl } from "../core/call/BaseUrl.ts"
import { MarketQuotes } from "../core/contracts/MarketQuotes.ts"
import type { LaneSets } from "../core/endpoint/LaneSets.ts"
import { Webhooks } from "../core/events/Webhooks.ts"
import { codeNames, codes } from "../core/Failure.ts"
import type { Feeds } from "../core/feeds/Feeds.ts"
import { Finder } from "../core/find/Finder.ts"
import { Gateway } from "../core/gateway/Gateway.ts"
import { RequestIds } from "../core/gateway/RequestIds.ts"
import { withAccount } from "../core/lanes/account/Account.ts"
import { Manage } from "../core/lanes/account/Manage.ts"
import { catalogue, finds, pricings, watches } from "../core/lanes/all.ts"
import { ActiveModel } from "../core/lanes/crypto/distribution.ts"
import { type OwnModel, toPriceModel } from "../core/lanes/crypto/ownModel.ts"
import * as overLanes from "../core/lanes/markets/overLanes.ts"
import * as recorders from "../core/lanes/markets/recorder.ts"
import { People } from "../core/people/People.ts"
import { baseUrl, laneModes, type Settings, storePlace, worldConfig } from "./Config.ts"
import { demoRecord, isGenerated } from "./demoRecord.ts"
import { keyPlaces } from "./keyNotice.ts"
import { paying, payments } from "./payments.ts"
import { origin, record, secretBox } from "./record.ts"
import * as rowFiles from "./rowFiles.ts"

/** Files next to the store; undefined for a store in memory. */
export const filesBeside = (sqliteFile: string, what: string): string | undefined =>
  sqliteFile === ":memory:" ? undefined : `${sqliteFile}-${what}`

/** The operator's models, which replace ours; the generated rows stay ours. A module that cannot be loaded stops the start. */
const models = ({ cryptoModel, sqliteFile }: Pick<Settings, "cryptoModel" | "sqliteFile">): Layer.Layer<never> =>
  Option.match(cryptoModel, {
    onNone: () => rowFiles.layer(filesBeside(sqliteFile, "demonstration")),
    onSome: (file) =>
      Layer.effect(
        ActiveModel,
        Effect.tryPromise({
          try: async () => toPriceModel((await moduleModel(resolve(file))) as OwnModel),
          catch: (error) => new Error(`CRYPTO_MODEL: ${file}: ${error instanceof Error ? error.message : error}`),
        }).pipe(Effect.orDie),
      ),
  })

/** A failed count is logged and omitted. */
const orNone =
  (what: string) =>
  <E, R>(counted: Effect.Effect<Sources.Figures, E, R>): Effect.Effect<Sources.Figures, never, R> =>
    Effect.catchAll(counted, (failure) => Effect.as(Effect.logWarning(`${what} could not be counted`, failure), {}))

/** Counts from the store and the public scoreboard. */
const figures: Effect.Effect<Sources.Figures, never, Gateway | SqlClient.SqlClient> = Effect.zipWith(
  orNone("Station-days")(
    Effect.map(stationDays, (days): Sources.Figures => (days === 0 ? {} : { station_days: days })),
  ),
  orNone("Settled markets")(Sources.scoreboard(catalogue)),
  (weather, markets) => ({ ...weather, ...markets }),
)

/** The public scoreboard for the front page. A board that cannot be read is logged and omitted. */
const board: Effect.Effect<Board | undefined, never, Gateway> = Effect.catchAll(Sources.board(catalogue), (failure) =>
  Effect.as(Effect.logWarning("The scoreboard could not be read", failure), undefined),
)

/** The lanes of test keys and of live keys with all their services, built once. */
export type World = Feeds | LaneSets | Services<(typeof modules)[number]>

/** Dependencies of a world and of its jobs. */
export type Tables = DiskSpace | SqlClient.SqlClient | PlatformCrypto | Transactions

/** These, and the services that differ between the engines. */
export type Store = Tables | stores.Store

export const world = (config: Settings): Layer.Layer<World, never, Tables> =>
  Worlds.layer(catalogue, modules, worldConfig(config)).pipe(
    Layer.provide([FetchHttpClient.layer, hasher.layer]),
    Layer.provide(models(config)),
  )

/** Records the signals of live keys, with venue quotes if markets are tracked. */
export const recorder = ({ markets }: Settings) =>
  (markets === "live" ? recorders.layer(pricings) : recorders.layerAlone(pricings)).pipe(Layer.provide(record))

/** The quotes of tracked markets, to which distributions are anchored. */
const quotes = ({ markets }: Settings) => (markets === "live" ? overLanes.layerQuotes : MarketQuotes.layerNone)

/** The store and its services without the lanes, for most commands. */
export const store = (config: Settings) => {
  const opened = stores.layer(storePlace(config), config.disk)
  return Layer.mergeAll(
    Agents.layer,
    People.layer,
    changes.layer,
    auditTrail.layer,
    calls.layer,
    names.layer,
    usage.layer,
    payments(config),
    installation.layer,
    voids.layer,
    Webhooks.layer,
    Alerts.layer(catalogue, watches),
    record,
  ).pipe(
    Layer.provide([
      guard.layerDestinations({ ...config.webhooks, sendsMail: Option.isSome(config.mail) }),
      webhookStore.layer,
    ]),
    Layer.provideMerge(alertStore.layer),
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        accountStore.layer,
        agentStore.layer,
        peopleStore.layer,
        stores.ledger.pipe(Layer.provide(hasher.layer)),
      ).pipe(Layer.provide(Layer.succeed(PerAccount, config.perAccount))),
    ),
    Layer.provideMerge(
      sealedSecrets.layer.pipe(Layer.provideMerge(Layer.mergeAll(opened, secrets.layer, secretBox(config)))),
    ),
  )
}

/** The store and its record for reading, beside the owner. */
export const readOnlyStore = (config: Settings) =>
  record.pipe(Layer.provideMerge(stores.readOnlyLayer(storePlace(config))))

/** Search in plain words: over the lanes' subjects, guides by their headings, and the pages of errors. */
const finder = (config: Settings) =>
  Layer.succeed(Finder, {
    finds,
    pages: () => [
      ...guides({ baseUrl: baseUrl(config), catalogue, limits: Listener.defaultLimits }).map(
        ({ path, title, summary, text }) => ({
          path,
          name: title,
          words: [summary, ...(text.match(/^##+ .*$/gm) ?? [])].join(" "),
        }),
      ),
      ...codeNames.map((name) => ({ path: errorPath(name), name, words: `error ${codes[name].docs}` })),
    ],
    index: fullText.buildIndex,
  })

/** The gateway: test keys get generated data, live keys the data that each lane's mode selects. */
export const gateway = (config: Settings) =>
  Gateway.layer(catalogue).pipe(
    Layer.provide([
      sealedSecrets.layerEntityTags,
      finder(config),
      paying,
      quotes(config),
      recorder(config),
      RequestIds.layer,
      BaseUrl.layer(baseUrl(config)),
      Manage.layer,
    ]),
    Layer.provideMerge(Layer.mergeAll(stores.keyring, stores.rateLimits, world(config))),
  )

export const delivery = (config: Settings) =>
  worker.layer().pipe(
    Layer.provide(
      Option.match(config.mail, {
        onNone: () => client.layer(config.webhooks),
        onSome: (settings) =>
          mail.layer({ ...settings, baseUrl: baseUrl(config) }).pipe(Layer.provide(client.layer(config.webhooks))),
      }),
    ),
    Layer.provide(deliveryQueue.layer),
  )

export const alerts = alertRunner.layer(catalogue, watches)

/** The admin API on its own listener, if ADMIN_TOKEN and ADMIN_LISTEN are set. */
export const admin = (config: Settings) =>
  Option.match(Option.all([config.admin.token, config.admin.listen]), {
    onNone: () => Layer.succeed(OperatorServers.AdminAddress, { address: undefined }),
    onSome: ([token, place]) =>
      Layer.unwrapEffect(
        Effect.map(Admin.make(catalogue, { token }), (served) =>
          OperatorServers.layerAdmin(served, { listenOn: place }),
        ).pipe(Effect.provide(Layer.merge(RequestIds.layer, BaseUrl.layer(baseUrl(config))))),
      ),
  })

/** Connection limits and trusted proxies of the public listener. */
export const network = ({ network: { trusts, ...limits } }: Settings): Pick<HttpOptions, "limits" | "trusts"> => ({
  trusts,
  limits,
})

/** The public record's routes. Keyless calls share one limit per address, here and at the gateway. */
const proof = (config: Settings) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.mergeAll(captures.layer, stores.keyring, RequestIds.layer, BaseUrl.layer(baseUrl(config))),
    )
    return yield* Effect.provide(Proof.make(yield* demoRecord(config, origin(config))), context)
  })

/** The scoreboard's routes, over the markets lane of live keys. Its files are in a temporary folder for a store in memory. */
const scoreboard = (config: Settings) =>
  ScoreboardPages.make(filesBeside(config.sqliteFile, "scoreboard"), isGenerated(config)).pipe(
    Effect.provide(Layer.merge(RequestIds.layer, BaseUrl.layer(baseUrl(config)))),
  )

/** The files that the server hands out, from those beside the programs. */
const install = (config: Settings) =>
  Install.make(catalogue, partsIn(fileURLToPath(new URL("..", import.meta.url)))).pipe(
    Effect.provide(Layer.merge(RequestIds.layer, BaseUrl.layer(baseUrl(config)))),
  )

type Facts = Gateway | SqlClient.SqlClient | Subjects.Ports

/** Facts for the documents: counts and lane modes. */
export const discovery = (config: Settings): Effect.Effect<Discovery.Options, never, Facts> =>
  Effect.zipWith(Effect.context<Facts>(), Subjects.front(laneModes(config)), (context, today) => ({
    baseUrl: baseUrl(config),
    ...Option.match(config.securityContact, { onNone: () => ({}), onSome: (securityContact) => ({ securityContact }) }),
    operator: Records.getSomes(config.operator),
    ...Option.match(config.signIn.provider, {
      onNone: () => ({}),
      onSome: ({ issuer }) => ({ signIn: { host: new URL(issuer).host, isOpen: config.signIn.isOpen } }),
    }),
    freshness: laneModes(config),
    laneDays: listLaneDays.pipe(Effect.provide(context)),
    toolsets: config.mcp.toolsets,
    figures: figures.pipe(Effect.provide(context)),
    board: board.pipe(Effect.provide(context)),
    demo: Demo.of(Context.get(context, Gateway)),
    today,
  }))

const mcp = (config: Settings) =>
  Effect.flatMap(discovery(config), (site) =>
    Effect.map(Mcp.make(catalogue, { ...site, ...config.mcp }), Route.fromMount),
  )

/**
 * Calls and MCP for programs of this machine that connect to the store's socket.
 *
 * @param hasPages whether a server listens at the base URL, so that errors may refer to its pages
 */
export const localCalls = (config: Settings, hasPages: boolean) =>
  Effect.gen(function* () {
    const mount = yield* Mcp.make(catalogue, {
      ...(yield* discovery(config)),
      ...config.mcp,
      legacySse: false,
      context: { keyPlace: keyPlaces.client, ...(hasPages ? {} : { errorsUrl: resourceUris.errors }) },
    })
    const table = Route.makeTable(
      [...Route.fromEntries(withAccount(catalogue, (yield* Gateway).manages).entries), ...Route.fromMount(mount)],
      ["key", "none"],
    )
    const rest = Rest.make(table, yield* Rest.publicSurface(table, failurePages))
    const shared = { table, rest, isUnlimited: true, limits: Listener.defaultLimits, trusts: trustsNobody }
    const { onRequest, onDrain } = yield* Listener.make(shared)
    yield* Effect.addFinalizer(() => Effect.sync(onDrain))
    return onRequest
  })

const dashboard = (config: Settings, operation?: Operation) => {
  const contact = Option.getOrUndefined(Option.orElse(config.operator.support, () => config.securityContact))
  return Dashboard.make(
    allPages(catalogue, contact, operation),
    Option.getOrUndefined(
      Option.map(config.signIn.provider, (found) => ({
        provider: Oidc.make({ ...found, asksEmail: Option.isSome(config.mail) }),
        isOpen: config.signIn.isOpen,
      })),
    ),
    contact,
  ).pipe(Effect.provide(Layer.merge(BaseUrl.layer(baseUrl(config)), captures.layer)))
}

/**
 * Routes in addition to the catalogue, its documents and health.
 *
 * @param operation what operators see of this server; absent: nothing
 */
export const routes = (config: Settings, operation?: Operation) =>
  Effect.map(
    Effect.all([
      mcp(config),
      proof(config),
      scoreboard(config),
      dashboard(config, operation),
      PaymentRoutes.make,
      AlertEvents.make(catalogue),
      Subjects.make(catalogue, baseUrl(config), laneModes(config)),
      install(config),
    ]),
    (lists) => lists.flat(),
  )

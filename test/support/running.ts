import * as SqlClient from "@effect/sql/SqlClient"
import type * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { modules } from "../../adapters/lanes/all.ts"
import { RowFiles } from "../../adapters/lanes/markets/mock/RowFiles.ts"
import { Sources } from "../../adapters/runtime/upstream/breaker.ts"
import { trustsNobody } from "../../adapters/server/http/clientAddress.ts"
import { ready } from "../../adapters/server/http/health.ts"
import { AdminAddress } from "../../adapters/server/http/operatorServers.ts"
import * as HttpServer from "../../adapters/server/http/server.ts"
import { type Owned, serverRole, takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import type { Operation } from "../../adapters/web/dashboard/Operation.ts"
import * as Web from "../../adapters/web/layer.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { catalogue } from "../../core/lanes/all.ts"
import * as Release from "../../core/release.ts"
import * as App from "../../services/app.ts"
import type { Settings } from "../../services/Config.ts"
import { sourcesDigest } from "../../services/cache.mjs"
import * as Lanes from "../../services/config/lanes.ts"
import * as jobs from "../../services/jobs.ts"
import { rowFiles } from "../../services/rowFiles.ts"
import { listener } from "../../services/storeTasks.ts"
import { tablesAtOnce } from "./store.ts"

/** Every lane over generated data, and upstreams at a port that nobody listens to. */
const lanes = Effect.runSync(
  Effect.withConfigProvider(
    Lanes.laneSettings(modules),
    ConfigProvider.fromMap(
      new Map([
        [
          "TERMS_ACCEPTED",
          Lanes.sourcesWithTerms(modules)
            .map(({ name }) => name)
            .join(),
        ],
        ...modules.flatMap(({ upstreams }) =>
          Object.entries(upstreams).flatMap(([name, { url }]) =>
            // A source that is off stays off.
            url === "" ? [] : [[`${name.toUpperCase()}_URL`, "http://127.0.0.1:9"] as const],
          ),
        ),
      ]),
    ),
  ),
)

export const settings = (changes: Partial<Settings> = {}): Settings => ({
  http: { host: "127.0.0.1", port: 0, baseUrl: Option.none() },
  network: { trusts: trustsNobody, maxConnections: 10_000, maxPerAddress: 256 },
  admin: { token: Option.none(), listen: Option.none() },
  metrics: { listen: Option.none() },
  accessLog: false,
  warmsUp: false,
  traces: { endpoint: Option.none(), ratio: 0 },
  webhooks: { allowHosts: [] },
  mail: Option.none(),
  mcp: { legacySse: true, allowedHosts: [], toolsets: [] },
  stopPauseMs: 0,
  securityContact: Option.none(),
  operator: { support: Option.none(), terms: Option.none(), privacy: Option.none() },
  signIn: { provider: Option.none(), isOpen: false },
  payments: { stripe: Option.none(), x402: Option.none() },
  sqliteFile: ":memory:",
  postgres: Option.none(),
  disk: { reserveBytes: 0 },
  cryptoModel: Option.none(),
  stationsFile: Option.none(),
  perAccount: 250,
  auditMonths: 13,
  isDefaultStore: false,
  recordKeyFile: Option.none(),
  recordKeyNew: false,
  secretsKeyFile: Option.none(),
  secretsKeyNew: false,
  ...lanes.modes,
  unaccepted: [],
  upstreams: { ...lanes.upstreams, userAgent: "market-signals (tests)" },
  ...changes,
})

/** The processes of a run make the generated record of now once for all. */
const shared = Layer.suspend(() => Layer.succeed(RowFiles, rowFiles("var/demonstration", sourcesDigest())))

/** A log whose lines are kept. */
const into = (lines: Array<string>) =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      Logger.map(Logger.logfmtLogger, (line) => void lines.push(line)),
    ),
    Logger.minimumLogLevel(LogLevel.All),
  )

/** What a server does for other programs over a file of its own. */
const asOwner = (config: Settings, owned: Owned) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { url } = yield* HttpServer.HttpAddress
      // Its base URL has no port, so that errors lead to no page of it.
      yield* owned.serve(yield* listener(yield* App.localCalls(config, false)), url)
    }),
  ).pipe(Layer.provide(jobs.layer(config)))

/** The real server on a free port, with one account and its two keys. Call `stop` at the end. */
export const start = async (
  changes: Partial<Settings> = {},
  {
    operation,
    log,
    sources,
    name = "tester",
    folding = tablesAtOnce,
    ...options
  }: Partial<Web.Options> & {
    readonly balance?: number
    /** Of the account. */
    readonly name?: string
    readonly clock?: Clock.Clock
    /** When tables of a SQLite store have the charges. */
    readonly folding?: Layer.Layer<never>
    readonly operation?: Operation
    /** Receives the sources that are asked. */
    readonly sources?: Context.Tag.Service<typeof Sources>
    /** Receives what is logged, at every level, in place of the console. */
    readonly log?: Array<string>
  } = {},
) => {
  const config = settings(changes)
  const http = Layer.unwrapScoped(
    Effect.map(Effect.all([App.routes(config, operation), App.discovery(config)]), ([routes, discovery]) =>
      Web.layer(catalogue, {
        host: "127.0.0.1",
        port: 0,
        routes,
        discovery,
        ready,
        ...App.network(config),
        ...options,
      }),
    ),
  )
  const { sqliteFile } = config
  const served = (owned?: Owned) =>
    (owned === undefined ? http : Layer.provideMerge(asOwner(config, owned), http)).pipe(
      Layer.merge(App.admin(config)),
      Layer.provideMerge(App.gateway(config)),
      Layer.provideMerge(App.store(config)),
      Layer.provide(folding),
      Layer.provide(changes.cryptoModel === undefined && options.clock === undefined ? shared : Layer.empty),
      Layer.provide(options.clock === undefined ? Layer.empty : Layer.setClock(options.clock)),
      Layer.provide(sources === undefined ? Layer.empty : Layer.succeed(Sources, sources)),
      Layer.provide(log === undefined ? Layer.empty : into(log)),
    )
  const runtime = ManagedRuntime.make(
    sqliteFile === ":memory:"
      ? served()
      : Layer.unwrapScoped(Effect.map(takeAlone(sqliteFile, { role: serverRole, version: Release.version }), served)),
  )
  const { url } = await runtime.runPromise(HttpServer.HttpAddress)
  const { address: adminUrl } = await runtime.runPromise(AdminAddress)
  const account = await runtime.runPromise(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(name)
      const balance = options.balance ?? 1_000_000
      if (balance > 0) yield* accounts.credit(id, MicroUsd(balance))
      const key = (environment: "test" | "live") =>
        Effect.map(
          accounts.issueKey({ account: id, environment, tier: "pro" }),
          ({ plaintext, key: { id: keyId } }) => ({
            token: Redacted.value(plaintext),
            id: keyId,
          }),
        )
      return { id, live: yield* key("live"), test: yield* key("test") }
    }),
  )
  return {
    url,
    /** Address of the admin API, if it is on. */
    adminUrl,
    account,
    run: runtime.runPromise,
    /** GET with a key; the body is parsed. */
    get: async (path: string, token: string | undefined = account.live.token, init: RequestInit = {}) => {
      const response = await fetch(url + path, {
        ...init,
        headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...init.headers },
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
        json: (text === "" ? undefined : JSON.parse(text)) as any,
      }
    },
    balance: () =>
      runtime.runPromise(
        Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.balance(account.id), ({ balance }) => balance)),
      ),
    charges: () =>
      runtime.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM postings WHERE kind = 'charge'`, ([row]) => row!.n),
        ),
      ),
    stop: () => runtime.dispose(),
  }
}

export type Running = Awaited<ReturnType<typeof start>>

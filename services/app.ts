import type * as HttpApp from "@effect/platform/HttpApp"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Admin from "../adapters/http/admin.ts"
import * as secrets from "../adapters/node/secrets.ts"
import * as select from "../adapters/providers/select.ts"
import * as accountStore from "../adapters/sql/AccountStore.ts"
import * as agentStore from "../adapters/sql/AgentStore.ts"
import * as climateReports from "../adapters/sql/ClimateReports.ts"
import type { Sqlite } from "../adapters/sql/client.sqlite.ts"
import * as keyring from "../adapters/sql/Keyring.ts"
import * as ledger from "../adapters/sql/Ledger.ts"
import * as sqlite from "../adapters/sql/sqlite.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import type { Ledger } from "../core/account/Ledger.ts"
import { RateLimits } from "../core/account/RateLimits.ts"
import type { Secrets } from "../core/account/Secrets.ts"
import * as Lane from "../core/endpoint/Lane.ts"
import { Gateway } from "../core/gateway/Gateway.ts"
import { LaneSets } from "../core/gateway/LaneSets.ts"
import { RequestIds } from "../core/gateway/RequestIds.ts"
import { Site } from "../core/gateway/Site.ts"
import { Baseball } from "../core/lanes/baseball/Baseball.ts"
import { catalogue } from "../core/lanes/catalogue.ts"
import { Crypto } from "../core/lanes/crypto/Crypto.ts"
import { Filings } from "../core/lanes/filings/Filings.ts"
import { Football } from "../core/lanes/football/Football.ts"
import { Markets } from "../core/lanes/markets/Markets.ts"
import type { ClimateArchive } from "../core/lanes/weather/providers.ts"
import { Weather } from "../core/lanes/weather/Weather.ts"
import { baseUrl, type Settings } from "./Config.ts"

const unavailable = Layer.mergeAll(
  Lane.layerUnavailable(Baseball.lane),
  Lane.layerUnavailable(Filings.lane),
  Lane.layerUnavailable(Football.lane),
  Lane.layerUnavailable(Markets.lane),
)

/** The lanes over the providers that their modes name. */
export const lanes = (modes: Pick<Settings, "crypto" | "weather">) =>
  Layer.mergeAll(
    unavailable,
    Crypto.layer.pipe(Layer.provide(select.crypto(modes.crypto))),
    Weather.layer.pipe(Layer.provide(select.weather(modes.weather))),
  )

/** The store and what reads and writes it without a call: what the command line needs. */
export const store = (
  config: Settings,
): Layer.Layer<
  SqlClient.SqlClient | Accounts | Agents | ClimateArchive | Ledger | Secrets | Sqlite,
  sqlite.StoreError
> =>
  Layer.merge(Agents.layer, climateReports.layerArchive).pipe(
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(Layer.mergeAll(accountStore.layer, agentStore.layer, ledger.layer)),
    Layer.provideMerge(Layer.merge(sqlite.layer(config.sqliteFile), secrets.layer)),
  )

/** The gateway over a store: test keys read the mock lanes, live keys the configured ones. */
export const gateway = (
  config: Settings,
): Layer.Layer<Gateway, never, Ledger | SqlClient.SqlClient | Secrets | Sqlite> =>
  Gateway.layer(catalogue).pipe(
    Layer.provide([
      LaneSets.layer(catalogue, { test: lanes({ crypto: "mock", weather: "mock" }), live: lanes(config) }),
      keyring.layer,
      RateLimits.layerMemory,
      RequestIds.layer,
      Site.layer(baseUrl(config)),
    ]),
  )

/** The operator's surface over a store, where the configuration has a token for it. */
export const admin = (
  config: Settings,
): Effect.Effect<HttpApp.Default | undefined, never, Accounts | Agents | Secrets> =>
  Option.match(config.admin.token, {
    onNone: () => Effect.succeed(undefined),
    onSome: (token) => Admin.make(catalogue, { token, allowRemote: config.admin.allowRemote }),
  }).pipe(Effect.provide(Layer.merge(RequestIds.layer, Site.layer(baseUrl(config)))))

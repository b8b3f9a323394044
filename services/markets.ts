import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as hasher from "../adapters/node/hasher.ts"
import * as select from "../adapters/providers/select.ts"
import * as sqlContracts from "../adapters/sql/Contracts.ts"
import type { Sqlite } from "../adapters/sql/client.sqlite.ts"
import type { Secrets } from "../core/account/Secrets.ts"
import { Baseball } from "../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../core/lanes/crypto/Crypto.ts"
import { Football } from "../core/lanes/football/Football.ts"
import * as models from "../core/lanes/markets/models.ts"
import type { ContractStore, Models, Venues } from "../core/lanes/markets/providers.ts"
import * as snapshots from "../core/lanes/markets/snapshots.ts"
import { Weather } from "../core/lanes/weather/Weather.ts"
import { Predictions } from "../core/record/Predictions.ts"
import type { Domain } from "../core/record/Settled.ts"
import { Snapshots } from "../core/record/Snapshots.ts"
import type { Settings } from "./Config.ts"
import { record } from "./record.ts"

/** The modes of the lanes, and where they read. */
export type Modes = Pick<
  Settings,
  "baseball" | "crypto" | "football" | "markets" | "mlbTermsAccepted" | "upstreams" | "weather"
>

/**
 * Whose contracts are followed: those that a lane in the same mode prices. A generated world has no opinion of a real
 * contract.
 */
export const followed = ({ markets, weather, football, baseball, crypto }: Modes): ReadonlyArray<Domain> =>
  Object.entries({ weather, nfl: football, mlb: baseball, crypto }).flatMap(([domain, mode]) =>
    markets !== "mock" && mode === markets ? [domain as Domain] : [],
  )

/** The models behind followed contracts: the lanes as live keys have them, with a record that keeps nothing. */
const priced = ({ weather, football, baseball, crypto, upstreams, mlbTermsAccepted }: Modes) =>
  models.layer.pipe(
    Layer.provide([
      Weather.layer.pipe(Layer.provide(select.weather(weather, upstreams))),
      Crypto.layer.pipe(Layer.provide(select.crypto(crypto))),
      Football.layer.pipe(
        Layer.provide(Layer.merge(select.football(football).pipe(Layer.provide(hasher.layer)), Predictions.layerNone)),
      ),
      Baseball.layer.pipe(Layer.provide([select.baseball(baseball, upstreams, mlbTermsAccepted), Snapshots.layerNone])),
    ]),
    Layer.provide(FetchHttpClient.layer),
  )

/** What the markets jobs need. */
export const layer = (
  config: Modes,
): Layer.Layer<ContractStore | Models | Venues, never, Secrets | SqlClient.SqlClient | Sqlite> =>
  Layer.mergeAll(
    priced(config),
    select.venues(followed(config), config.upstreams).pipe(Layer.provide(FetchHttpClient.layer)),
    sqlContracts.layerStore.pipe(Layer.provide(record)),
  )

/**
 * Where a lane's calls are recorded: beside the venues' books when lane and markets are live, nowhere otherwise. Generated
 * answers, and those of test keys, never are.
 */
export const recording = (
  config: Modes,
  lane: select.Mode,
): Layer.Layer<Snapshots, never, Secrets | SqlClient.SqlClient | Sqlite> =>
  config.markets === "live" && lane === "live"
    ? snapshots.layer.pipe(Layer.provide(sqlContracts.layerStore), Layer.provide(record))
    : Snapshots.layerNone

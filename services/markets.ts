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
import type { ContractStore, Models, SourceResults, Venues } from "../core/lanes/markets/providers.ts"
import * as snapshots from "../core/lanes/markets/snapshots.ts"
import * as sourceResults from "../core/lanes/markets/sourceResults.ts"
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

/** The lanes behind followed contracts as live keys have them, asked without a record of the call: models and sources. */
const opined = ({ weather, football, baseball, crypto, upstreams, mlbTermsAccepted }: Modes) => {
  const reading = {
    weather: select.weather(weather, upstreams),
    crypto: select.crypto(crypto),
    football: Layer.merge(select.football(football).pipe(Layer.provide(hasher.layer)), Predictions.layerNone),
    baseball: select.baseball(baseball, upstreams, mlbTermsAccepted),
  }
  return Layer.merge(
    models.layer.pipe(
      Layer.provide([
        Weather.layerRecorded.pipe(Layer.provide(reading.weather)),
        Crypto.layerRecorded.pipe(Layer.provide(reading.crypto)),
        Football.layerRecorded.pipe(Layer.provide(reading.football)),
        Baseball.layer.pipe(Layer.provide(reading.baseball)),
      ]),
      Layer.provide(Snapshots.layerOverheard),
    ),
    sourceResults.layer.pipe(Layer.provide([reading.weather, reading.crypto, reading.football, reading.baseball])),
  ).pipe(Layer.provide(FetchHttpClient.layer))
}

/** What the markets jobs need. */
export const layer = (
  config: Modes,
): Layer.Layer<ContractStore | Models | SourceResults | Venues, never, Secrets | SqlClient.SqlClient | Sqlite> =>
  Layer.mergeAll(
    opined(config),
    select.venues(followed(config), config.upstreams).pipe(Layer.provide(FetchHttpClient.layer)),
    sqlContracts.layerStore.pipe(Layer.provide(record)),
  )

type Recording = Layer.Layer<Snapshots, never, Secrets | SqlClient.SqlClient | Sqlite>

/** Where every call of a live lane is recorded, listed by a venue or not. Generated answers never are. */
export const recordingAll = (lane: select.Mode): Recording =>
  lane === "live"
    ? snapshots.layer.pipe(Layer.provide(sqlContracts.layerStore), Layer.provide(record))
    : Snapshots.layerNone

/** Where calls are recorded that are scored beside the venues' books: nowhere but where lane and markets are live. */
export const recording = ({ markets }: Modes, lane: select.Mode): Recording =>
  markets === "live" ? recordingAll(lane) : Snapshots.layerNone

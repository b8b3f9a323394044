import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as sqlContracts from "../adapters/lanes/markets/store/Contracts.ts"
import * as select from "../adapters/providers/select.ts"
import type { Sqlite } from "../adapters/sql/client.sqlite.ts"
import type { Secrets } from "../core/account/Secrets.ts"
import { pricings } from "../core/lanes/all.ts"
import { Baseball } from "../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../core/lanes/crypto/Crypto.ts"
import { Football } from "../core/lanes/football/Football.ts"
import * as models from "../core/lanes/markets/models.ts"
import type { ContractStore, Models, SourceResults, Venues } from "../core/lanes/markets/ports.ts"
import * as recorders from "../core/lanes/markets/recorder.ts"
import * as sourceResults from "../core/lanes/markets/sourceResults.ts"
import { Weather } from "../core/lanes/weather/Weather.ts"
import type { Recorder } from "../core/record/captures/Recorder.ts"
import type { Domain } from "../core/record/scoreboard/Settled.ts"
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

/** The lanes behind followed contracts as live keys have them, for their opinions, and the sources behind the lanes. */
const opined = ({ weather, football, baseball, crypto, upstreams, mlbTermsAccepted }: Modes) => {
  const reading = Layer.mergeAll(
    select.weather(weather, upstreams),
    select.crypto(crypto),
    select.football(football),
    select.baseball(baseball, upstreams, mlbTermsAccepted),
  )
  return Layer.merge(
    models.layer(pricings).pipe(Layer.provide([Weather.layer, Crypto.layer, Football.layer, Baseball.layer])),
    sourceResults.layer(pricings),
  ).pipe(Layer.provide(reading), Layer.provide(FetchHttpClient.layer))
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

/** What of the signals of live keys goes on the record: beside the venues' books where those are followed. */
export const recorder = ({ markets }: Modes): Layer.Layer<Recorder, never, Secrets | Sqlite> =>
  markets === "live"
    ? recorders.layer(pricings).pipe(Layer.provide(sqlContracts.layerStore), Layer.provide(record))
    : recorders.layerAlone(pricings).pipe(Layer.provide(record))

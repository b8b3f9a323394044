import type * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import { RateLimits } from "../../core/account/RateLimits.ts"
import type { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import * as postgresKeyring from "./account/postgres/Keyring.ts"
import * as postgresRateLimits from "./account/postgres/RateLimits.ts"
import * as sqliteKeyring from "./account/sqlite/Keyring.ts"
import type { Options as Disk, DiskSpace } from "./engine/diskGuard.ts"
import type { Place, StoreError } from "./engine/opening.ts"
import * as postgresClock from "./engine/postgres/clock.ts"
import * as postgres from "./engine/postgres/open.ts"
import { StoreTime } from "./engine/StoreTime.ts"
import * as sqlite from "./engine/sqlite/open.ts"
import type { Transactions } from "./engine/Transactions.ts"
import * as postgresLedger from "./money/postgres/Ledger.ts"
import * as sqliteLedger from "./money/sqlite/Ledger.ts"

/** The repositories that each engine implements separately. */
class EngineLayers extends Context.Tag("market-signals/adapters/store/Engine")<
  EngineLayers,
  {
    readonly ledger: Layer.Layer<Ledger, never, SyncSha256>
    readonly keyring: Layer.Layer<Keyring>
    readonly rateLimits: Layer.Layer<RateLimits>
  }
>() {}

/** What every store provides; all other repositories are built on it. */
export type Store = DiskSpace | SqlClient.SqlClient | Transactions | EngineLayers | StoreTime

/** Provides the layers with the engine's own services `R`, which `Store` does not expose. */
const makeEngineLayer = <R>(
  ledger: Layer.Layer<Ledger, never, SyncSha256 | R>,
  keyring: Layer.Layer<Keyring, never, R>,
  rateLimits: Layer.Layer<RateLimits, never, R>,
): Layer.Layer<EngineLayers, never, R> =>
  Layer.effect(
    EngineLayers,
    Effect.map(Effect.context<R>(), (context) => {
      const services = Layer.succeedContext(context)
      return {
        ledger: Layer.provide(ledger, services) as Layer.Layer<Ledger, never, SyncSha256>,
        keyring: Layer.provide(keyring, services),
        rateLimits: Layer.provide(rateLimits, services),
      }
    }),
  )

/**
 * Opens and migrates a store. Everything built on it uses the store's clock (`StoreTime`).
 *
 * @param disk room to keep free on the disk of a SQLite file
 */
export const layer = (place: Place, disk: Disk = { reserveBytes: 0 }): Layer.Layer<Store, StoreError> =>
  place._tag === "Sqlite"
    ? Layer.provideMerge(
        makeEngineLayer(sqliteLedger.layer, sqliteKeyring.layer, RateLimits.layerMemory),
        Layer.merge(sqlite.layer(place.file, { disk }), StoreTime.layerProcessClock),
      )
    : Layer.provideMerge(
        makeEngineLayer(postgresLedger.layer, postgresKeyring.layer, postgresRateLimits.layer),
        Layer.provideMerge(postgresClock.layer, postgres.layer(place.url)),
      )

/** The store for reading. A SQLite file is opened read-only beside its owner; on PostgreSQL this is the ordinary connection. */
export const readOnlyLayer = (
  place: Place,
): Layer.Layer<DiskSpace | SqlClient.SqlClient | Transactions | StoreTime, StoreError> =>
  place._tag === "Sqlite"
    ? Layer.merge(sqlite.layerReading(place.file), StoreTime.layerProcessClock)
    : Layer.provideMerge(postgresClock.layer, postgres.layer(place.url))

const fromEngine = <A, R>(
  select: (engine: EngineLayers["Type"]) => Layer.Layer<A, never, R>,
): Layer.Layer<A, never, EngineLayers | R> => Layer.unwrapEffect(Effect.map(EngineLayers, select))

export const ledger: Layer.Layer<Ledger, never, EngineLayers | SyncSha256> = fromEngine((engine) => engine.ledger)
export const keyring: Layer.Layer<Keyring, never, EngineLayers> = fromEngine((engine) => engine.keyring)
export const rateLimits: Layer.Layer<RateLimits, never, EngineLayers> = fromEngine((engine) => engine.rateLimits)

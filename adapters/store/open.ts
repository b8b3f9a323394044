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

/** The repositories that exist twice, because what makes them exact and fast differs between the stores. */
export class Engine extends Context.Tag("market-signals/adapters/store/Engine")<
  Engine,
  {
    readonly ledger: Layer.Layer<Ledger, never, SyncSha256>
    readonly keyring: Layer.Layer<Keyring>
    readonly rateLimits: Layer.Layer<RateLimits>
  }
>() {}

/** What every store provides; all other repositories are built on it. */
export type Store = DiskSpace | SqlClient.SqlClient | Transactions | Engine | StoreTime

const engine = <R>(
  layers: {
    readonly [K in keyof Engine["Type"]]: Layer.Layer<
      Layer.Layer.Success<Engine["Type"][K]>,
      never,
      Layer.Layer.Context<Engine["Type"][K]> | R
    >
  },
): Layer.Layer<Engine, never, R> =>
  Layer.effect(
    Engine,
    Effect.map(Effect.context<R>(), (context) => {
      const own = Layer.succeedContext(context)
      return {
        ledger: Layer.provide(layers.ledger, own) as Layer.Layer<Ledger, never, SyncSha256>,
        keyring: Layer.provide(layers.keyring, own) as Layer.Layer<Keyring>,
        rateLimits: Layer.provide(layers.rateLimits, own) as Layer.Layer<RateLimits>,
      }
    }),
  )

/**
 * Opens and migrates a store, by whose time everything goes that is built over it. The only place that knows both kinds.
 *
 * @param disk room to keep free on the disk of a SQLite file
 */
export const layer = (place: Place, disk: Disk = { reserveBytes: 0 }): Layer.Layer<Store, StoreError> =>
  place._tag === "Sqlite"
    ? Layer.provideMerge(
        engine({ ledger: sqliteLedger.layer, keyring: sqliteKeyring.layer, rateLimits: RateLimits.layerMemory }),
        Layer.merge(sqlite.layer(place.file, { disk }), StoreTime.layerOwn),
      )
    : Layer.provideMerge(
        engine({ ledger: postgresLedger.layer, keyring: postgresKeyring.layer, rateLimits: postgresRateLimits.layer }),
        Layer.provideMerge(postgresClock.layer, postgres.layer(place.url)),
      )

/** The same store to read alone, beside its owner. */
export const reading = (
  place: Place,
): Layer.Layer<DiskSpace | SqlClient.SqlClient | Transactions | StoreTime, StoreError> =>
  place._tag === "Sqlite"
    ? Layer.merge(sqlite.layerReading(place.file), StoreTime.layerOwn)
    : Layer.provideMerge(postgresClock.layer, postgres.layer(place.url))

const of = <A, R>(select: (engine: Engine["Type"]) => Layer.Layer<A, never, R>): Layer.Layer<A, never, Engine | R> =>
  Layer.unwrapEffect(Effect.map(Engine, select))

export const ledger: Layer.Layer<Ledger, never, Engine | SyncSha256> = of((engine) => engine.ledger)
export const keyring: Layer.Layer<Keyring, never, Engine> = of((engine) => engine.keyring)
export const rateLimits: Layer.Layer<RateLimits, never, Engine> = of((engine) => engine.rateLimits)

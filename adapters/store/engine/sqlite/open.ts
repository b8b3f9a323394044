import { existsSync } from "node:fs"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Connection, migrate } from "../../schema/migrate.ts"
import * as diskGuard from "../diskGuard.ts"
import { refuseMoved } from "../movedStore.ts"
import { StoreError, toStoreError } from "../opening.ts"
import { transaction } from "../storage.ts"
import { layerSqlite, type Transactions } from "../Transactions.ts"
import { refuseUnknown } from "../unknownStore.ts"
import { make, Sqlite } from "./client.ts"
import { open } from "./driver.ts"
import { createPrivate, memory } from "./files.ts"
import { exactness } from "./pragmas.ts"

export { StoreError } from "../opening.ts"

/**
 * Set at every open. Busy: another program that writes must not block the event loop, so the call fails soon, as with a full
 * disk; readers block no writer. Cache: 16 MB with either driver.
 */
const pragmas = [...exactness, "busy_timeout = 10", "temp_store = MEMORY", "cache_size = -16000"]

/** For a store from before the first release. */
const remedy =
  "Move it away, with its -wal and -shm files, or set another store in DATABASE_URL; the next start creates a new one."

const client = (filename: string) =>
  Effect.if(filename === memory, { onTrue: () => Effect.void, onFalse: () => createPrivate(filename) }).pipe(
    Effect.zipRight(Effect.mapError(make(open, filename), toStoreError(`open ${filename}`))),
  )

/** How this engine's schema is changed. */
export const connection = (sql: SqlClient.SqlClient, { db }: Pick<Sqlite["Type"], "db">): Connection => ({
  script: (text) =>
    Effect.try({ try: () => db.exec(text), catch: (cause) => new SqlError({ cause, message: "Failed to execute" }) }),
  transaction: (work) => transaction(sql, work),
})

/** Opens the store read-only, beside its owner: nothing is created, migrated or written. */
export const layerReading = (
  filename: string,
): Layer.Layer<diskGuard.DiskSpace | SqlClient.SqlClient | Sqlite | Transactions, StoreError> =>
  Layer.provideMerge(
    Layer.merge(
      layerSqlite,
      Layer.suspend(() => diskGuard.layer(filename, { reserveBytes: 0 })),
    ),
    Layer.scopedContext(
      Effect.gen(function* () {
        if (!existsSync(filename)) {
          return yield* new StoreError({ reason: "open", message: `There is no store at ${filename}.` })
        }
        const context = yield* make((file) => open(file, { readonly: true, fileMustExist: true }), filename)
        const refused = Effect.zipRight(refuseUnknown(filename, remedy, "reading"), refuseMoved(filename))
        yield* Effect.provide(refused, context)
        return context
      }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(toStoreError(`read ${filename}`)(cause)))),
    ),
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * The SQLite store, opened with durable commits and migrated to the newest schema, and the space on its disk. One per
 * process.
 */
export const layer = (
  filename: string,
  { disk = { reserveBytes: 0 } }: { readonly disk?: diskGuard.Options } = {},
): Layer.Layer<diskGuard.DiskSpace | SqlClient.SqlClient | Sqlite | Transactions, StoreError> =>
  Layer.provideMerge(
    // Opening the store creates its folder.
    Layer.merge(
      layerSqlite,
      Layer.suspend(() => diskGuard.layer(filename, disk)),
    ),
    Layer.scopedContext(
      Effect.gen(function* () {
        const context = yield* client(filename)
        const [sql, sqlite] = [Context.get(context, SqlClient.SqlClient), Context.get(context, Sqlite)]
        const migrated = Effect.mapError(
          migrate(connection(sql, sqlite)),
          toStoreError(`migrate ${filename}`, "migrate"),
        )
        const refused = Effect.zipRight(refuseUnknown(filename, remedy), refuseMoved(filename))
        yield* Effect.provideService(refused, SqlClient.SqlClient, sql)
        yield* sql.unsafe("PRAGMA journal_mode = WAL")
        yield* Effect.forEach(pragmas, (pragma) => sql.unsafe(`PRAGMA ${pragma}`))
        yield* Effect.provideService(migrated, SqlClient.SqlClient, sql)
        return context
      }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(toStoreError(`use ${filename}`)(cause)))),
    ),
  ).pipe(Layer.provide(Reactivity.layer))

import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import pg from "pg"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as agentStore from "../../adapters/store/account/AgentStore.ts"
import * as keyring from "../../adapters/store/account/postgres/Keyring.ts"
import * as anyClient from "../../adapters/store/engine/anyClient.ts"
import { DiskSpace } from "../../adapters/store/engine/diskGuard.ts"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import { numberTypes } from "../../adapters/store/engine/postgres/numberTypes.ts"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as ledger from "../../adapters/store/money/postgres/Ledger.ts"
import type { AccountStore } from "../../core/account/AccountStore.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import type { Keyring } from "../../core/account/Keyring.ts"
import type { Ledger } from "../../core/account/Ledger.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { folder as installed } from "../long/installed.ts"
import { database, isPostgres } from "./postgres.ts"
import { recordOver } from "./record.ts"
import { accountsOver, storeFile, tablesNever } from "./store.ts"

type Store = Layer.Layer<DiskSpace | SqlClient.SqlClient | Transactions, StoreError>

const isClient = process.env["TEST_CLIENT"] !== undefined

/** Repositories over a client that is not ours, as an embedder has it. */
const overClient = <R>(client: Layer.Layer<R | SqlClient.SqlClient, unknown>): Store =>
  Layer.mergeAll(
    Layer.provideMerge(anyClient.layer, Layer.map(Layer.orDie(client), Context.pick(SqlClient.SqlClient))),
    DiskSpace.layerNone,
  )

/** Of `@effect/sql-sqlite-node`, which only the long proof has. */
const sqliteClient = async (filename: string): Promise<Layer.Layer<SqlClient.SqlClient>> =>
  (await import(join(installed, "@effect/sql-sqlite-node/dist/esm/SqliteClient.js"))).layer({ filename })

const onSqlite = (filename: string): Store =>
  isClient ? overClient(Layer.unwrapEffect(Effect.promise(() => sqliteClient(filename)))) : sqlite.layer(filename)

const onPostgres = (url: Redacted.Redacted): Store =>
  isClient ? overClient(PgClient.layer({ url, types: numberTypes(pg.types) })) : Postgres.layer(url)

/** A new store without rows, of the kind that the run tests: SQLite, and PostgreSQL with `npm run test:postgres`. */
export const anyStore: Store = isPostgres ? Layer.unwrapScoped(Effect.map(database, onPostgres)) : onSqlite(":memory:")

type Money =
  | DiskSpace
  | Accounts
  | AccountStore
  | Agents
  | Keyring
  | Ledger
  | PlatformCrypto
  | SqlClient.SqlClient
  | Transactions

const accountsOverPostgres: Layer.Layer<Money, StoreError> = Agents.layer.pipe(
  Layer.provideMerge(Accounts.layer),
  Layer.provideMerge(
    Layer.mergeAll(accountStore.layer, agentStore.layer, keyring.layer, Layer.provide(ledger.layer, hasher.layer)),
  ),
  Layer.provideMerge(
    Layer.merge(secrets.layer, Layer.unwrapScoped(Effect.map(database, (url) => Postgres.layer(url)))),
  ),
)

/** The same with everything that handles money and keys. */
export const anyAccounts: Layer.Layer<Money, StoreError> = isPostgres ? accountsOverPostgres : accountsOver(":memory:")

/** The same without tables of calls on SQLite until somebody folds or reads. */
export const anyAccountsUnfolded: Layer.Layer<Money, StoreError> = isPostgres
  ? accountsOverPostgres
  : accountsOver(":memory:", {}, tablesNever)

/** The same on a disk, as a server has it. */
export const anyAccountsOnDisk: Layer.Layer<Money, StoreError> = isPostgres
  ? accountsOverPostgres
  : Layer.unwrapScoped(Effect.map(storeFile, (file) => accountsOver(file)))
/** One new store for several programs: each build of the layer opens it anew. It goes with the scope. */
export const sharedStore: Effect.Effect<Store, never, Scope.Scope> = isPostgres
  ? Effect.map(database, onPostgres)
  : Effect.map(storeFile, onSqlite)

/** A record in a new store. */
export const inAnyStore = recordOver(anyStore)

import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { StoreError } from "../../adapters/sql/opening.ts"
import * as Postgres from "../../adapters/sql/postgres/open.ts"
import * as sqlite from "../../adapters/sql/sqlite.ts"
import type { Transactions } from "../../adapters/sql/Transactions.ts"
import { database, isPostgres } from "./postgres.ts"
import { recordOver } from "./record.ts"
import { storeFile } from "./store.ts"

/** A new store without rows, of the kind that the run tests: SQLite, and PostgreSQL with `npm run test:postgres`. */
export const anyStore: Layer.Layer<SqlClient.SqlClient | Transactions, StoreError> = isPostgres
  ? Layer.unwrapScoped(Effect.map(database, (url) => Postgres.layer(url)))
  : sqlite.layer(":memory:")

/** One new store for several programs: each build of the layer opens it anew. It goes with the scope. */
export const sharedStore: Effect.Effect<
  Layer.Layer<SqlClient.SqlClient | Transactions, StoreError>,
  never,
  Scope.Scope
> = isPostgres
  ? Effect.map(database, (url) => Postgres.layer(url))
  : Effect.map(storeFile, (file) => sqlite.layer(file))

/** A record in a new store. */
export const inAnyStore = recordOver(anyStore)

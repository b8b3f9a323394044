import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { DiskSpace } from "../diskGuard.ts"
import { StoreError, toStoreError } from "../opening.ts"
import type { Transactions } from "../Transactions.ts"
import * as Client from "./client.ts"
import { makeReady } from "./ready.ts"

/** The PostgreSQL store, migrated to the newest schema. Errors never contain the URL, which has the password. */
export const layer = (
  url: Redacted.Redacted,
  options: Client.Options = {},
): Layer.Layer<DiskSpace | SqlClient.SqlClient | Client.Postgres | Transactions, StoreError> =>
  Layer.tap(Client.layer(url, options), (context) => Effect.provide(makeReady, context)).pipe(
    Layer.catchAll((error) =>
      Layer.fail(error instanceof StoreError ? error : toStoreError("use the database of DATABASE_URL")(error)),
    ),
    Layer.merge(DiskSpace.layerNone),
  )

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Caller, Keyring } from "../../core/account/Keyring.ts"
import { orUnavailable } from "./storage.ts"

interface Row {
  readonly id: string
  readonly account_id: string
  readonly environment: string
  readonly per_minute: number
}

const toCaller = (row: Row): Caller => ({
  accountId: row.account_id,
  keyId: row.id,
  livemode: row.environment === "live",
  perMinute: row.per_minute,
})

export const layer: Layer.Layer<Keyring, never, SqlClient.SqlClient> = Layer.effect(
  Keyring,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (hash) =>
      orUnavailable(
        Effect.map(
          sql<Row>`SELECT id, account_id, environment, per_minute FROM api_keys WHERE hash = ${hash} AND revoked_at IS NULL`,
          ([row]) => (row === undefined ? undefined : toCaller(row)),
        ),
      ),
  })),
)

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The threshold below which a charge causes `wallet.low`; null: none. */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`ALTER TABLE wallets ADD COLUMN low_micros BIGINT CHECK (low_micros > 0)`,
)

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { withLow } from "../postgres/settle.ts"

/** The threshold below which a charge causes `wallet.low`; null: none. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE wallets ADD COLUMN low_micros BIGINT CHECK (low_micros > 0)`
  yield* sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () => Effect.forEach(withLow, (statement) => sql.unsafe(statement), { discard: true }),
  })
})

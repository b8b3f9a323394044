import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Payers whose payment is under way, and those who wait because the network reverted their last one. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `order_id`: the payment under way; null: none. `reverted`: payments that the network reverted since the last good one.
  yield* sql`
    CREATE TABLE payers (
      payer TEXT NOT NULL PRIMARY KEY,
      order_id TEXT REFERENCES orders (id),
      busy_until BIGINT NOT NULL,
      reverted INTEGER NOT NULL CHECK (reverted >= 0)
    )`
  yield* sql`CREATE INDEX payers_order ON payers (order_id) WHERE order_id IS NOT NULL`
})

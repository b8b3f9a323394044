import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, inOrder } from "../appendOnly.ts"

/** Orders of payments into wallets, and the facts known of them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `id` is the id of the credit in the journal.
  yield* sql`
    CREATE TABLE orders (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      provider TEXT NOT NULL,
      micros BIGINT NOT NULL CHECK (micros > 0),
      created_at BIGINT NOT NULL
    )`
  yield* sql`CREATE INDEX orders_account ON orders (account_id, id)`
  yield* appendOnly("orders")
  // A fact belongs to one order: `reference` is the provider's id of it. What an order is worth is a fold of its facts.
  yield* sql`
    CREATE TABLE order_facts (
      seq ${inOrder(sql)},
      order_id TEXT NOT NULL REFERENCES orders (id),
      kind TEXT NOT NULL CHECK (kind IN ('opened', 'paid', 'ended', 'refunded', 'disputed')),
      reference TEXT NOT NULL,
      at BIGINT NOT NULL,
      micros BIGINT CHECK ((micros IS NOT NULL) = (kind IN ('paid', 'refunded', 'disputed'))),
      currency TEXT CHECK ((currency IS NULL) = (micros IS NULL)),
      url TEXT,
      ends_at BIGINT,
      detail TEXT,
      UNIQUE (kind, reference)
    )`
  yield* sql`CREATE INDEX order_facts_order ON order_facts (order_id, seq)`
  yield* appendOnly("order_facts")
})

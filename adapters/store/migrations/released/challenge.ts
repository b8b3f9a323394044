import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, inOrder } from "../appendOnly.ts"

/**
 * Models of accounts and their opinions on contracts. A model has a row for its first opinion, and one when it is withdrawn.
 * An opinion's leaf has the same id; of opinions of one time the last counts.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bench_models (
      model TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'withdrawn')),
      account_id TEXT NOT NULL REFERENCES accounts (id),
      at BIGINT NOT NULL,
      PRIMARY KEY (model, status)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX bench_models_accounts ON bench_models (account_id, status, model)`
  yield* appendOnly("bench_models")
  yield* sql`
    CREATE TABLE bench_opinions (
      seq ${inOrder(sql)},
      id TEXT NOT NULL UNIQUE,
      model TEXT NOT NULL,
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      p BIGINT NOT NULL CHECK (p BETWEEN 0 AND 1000000),
      at BIGINT NOT NULL,
      close_time BIGINT NOT NULL,
      CHECK (at < close_time)
    )`
  // For scores: the opinions on a contract; for the limit of a day: those of a model.
  yield* sql`CREATE INDEX bench_opinions_contracts ON bench_opinions (venue, ticker, model, at)`
  yield* sql`CREATE INDEX bench_opinions_days ON bench_opinions (model, at)`
  yield* appendOnly("bench_opinions")
})

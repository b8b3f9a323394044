import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, inOrder } from "./appendOnly.ts"

/** The track record: what models said before events began, and what came true. A corrected outcome is one more row. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE predictions (
      seq ${inOrder(sql)},
      id TEXT NOT NULL UNIQUE,
      lane TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      subject TEXT NOT NULL,
      model_version TEXT NOT NULL,
      at BIGINT NOT NULL,
      closes_at BIGINT NOT NULL,
      params TEXT NOT NULL,
      output TEXT NOT NULL,
      market TEXT NOT NULL,
      inputs_hash TEXT NOT NULL,
      CHECK (at < closes_at)
    )`
  yield* sql`CREATE INDEX predictions_subject ON predictions (lane, endpoint, subject, seq)`
  yield* appendOnly("predictions")
  yield* sql`
    CREATE TABLE prediction_outcomes (
      prediction_id TEXT NOT NULL REFERENCES predictions (id),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      at BIGINT NOT NULL,
      outcome TEXT NOT NULL,
      scores TEXT NOT NULL,
      PRIMARY KEY (prediction_id, revision)
    )`
  yield* appendOnly("prediction_outcomes")
})

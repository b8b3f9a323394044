import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly } from "./appendOnly.ts"

/** What scored signals left behind. The two indexes say which captures are the same one. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE captures (
      id TEXT NOT NULL PRIMARY KEY,
      lane TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      subject TEXT NOT NULL,
      model_version TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('scheduled', 'on_demand')),
      at BIGINT NOT NULL,
      params TEXT NOT NULL,
      output TEXT NOT NULL,
      quotes TEXT NOT NULL,
      inputs_hash TEXT NOT NULL
    )`
  yield* sql`
    CREATE UNIQUE INDEX captures_scheduled ON captures (lane, endpoint, subject, at) WHERE kind = 'scheduled'`
  yield* sql`
    CREATE UNIQUE INDEX captures_on_demand ON captures (lane, endpoint, subject, inputs_hash, at)
    WHERE kind = 'on_demand'`
  yield* appendOnly("captures")
})

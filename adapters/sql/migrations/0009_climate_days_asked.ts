import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * Climate days of which an archive was asked after their final report was due, and had none. What tells "there is no
 * report" from "nobody has looked".
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE climate_days_asked (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      source TEXT NOT NULL,
      asked_at BIGINT NOT NULL,
      PRIMARY KEY (station, day)
    ) ${byKey(sql)}`
  yield* appendOnly("climate_days_asked")
})

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * Notes that an archive had no report of a day grow old: a day is asked for again, and may get another note. The notes
 * of before, one to a day, are moved here.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE climate_days_without (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      source TEXT NOT NULL,
      asked_at BIGINT NOT NULL,
      PRIMARY KEY (station, day, asked_at)
    ) ${byKey(sql)}`
  yield* sql`
    INSERT INTO climate_days_without (station, day, source, asked_at)
    SELECT station, day, source, asked_at FROM climate_days_asked`
  yield* sql`DROP TABLE climate_days_asked`
  yield* appendOnly("climate_days_without")
})

export default migration

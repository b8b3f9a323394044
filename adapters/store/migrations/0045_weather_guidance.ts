import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/** Other sources' forecasts of climate days, and the laws that were issued with them, JSON. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE weather_guidance (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      source TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      issued_at BIGINT NOT NULL,
      temp_f INTEGER NOT NULL,
      sigma_f INTEGER,
      received_at BIGINT NOT NULL,
      PRIMARY KEY (station, day, source, variable, issued_at)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX weather_guidance_runs ON weather_guidance (source, issued_at)`
  yield* appendOnly("weather_guidance")
  yield* sql`ALTER TABLE temperature_forecasts ADD COLUMN issued TEXT`
})

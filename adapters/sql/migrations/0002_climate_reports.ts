import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly } from "./appendOnly.ts"

/** Every version of every official daily climate report, with the text it was read from. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE climate_reports (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      product_id TEXT NOT NULL,
      issued_at BIGINT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('final', 'preliminary')),
      source TEXT NOT NULL,
      received_at BIGINT NOT NULL,
      headline TEXT NOT NULL,
      correction INTEGER NOT NULL CHECK (correction IN (0, 1)),
      valid_as_of TEXT,
      high_f INTEGER,
      low_f INTEGER,
      high_time_local TEXT,
      low_time_local TEXT,
      precip_in DOUBLE PRECISION,
      snow_in DOUBLE PRECISION,
      flags TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (station, day, product_id)
    )`
  yield* sql`CREATE INDEX climate_reports_final ON climate_reports (station, status, day)`
  yield* appendOnly("climate_reports")
})

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * What the temperature signal learns from: forecasts as they were published, their errors against the final official
 * reports, and the state that those errors add up to. The newest revision of a state counts.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // One forecast per target day and lead bucket: the first that was seen.
  yield* sql`
    CREATE TABLE temperature_forecasts (
      station TEXT NOT NULL,
      target_day TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      bucket INTEGER NOT NULL,
      taken_at BIGINT NOT NULL,
      forecast_f DOUBLE PRECISION NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (target_day, station, variable, bucket)
    ) ${byKey(sql)}`
  yield* appendOnly("temperature_forecasts")
  // folded = 1: counted, once and for ever. folded = 0: a later report said otherwise; noted, not counted.
  yield* sql`
    CREATE TABLE temperature_residuals (
      station TEXT NOT NULL,
      target_day TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      bucket INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      official_f INTEGER NOT NULL,
      residual_f DOUBLE PRECISION NOT NULL,
      folded INTEGER NOT NULL CHECK (folded IN (0, 1)),
      revision BIGINT NOT NULL,
      noted_at BIGINT NOT NULL,
      PRIMARY KEY (target_day, station, variable, bucket, product_id)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE UNIQUE INDEX temperature_residuals_folded ON temperature_residuals (target_day, station, variable, bucket)
    WHERE folded = 1`
  yield* sql`CREATE INDEX temperature_residuals_revision ON temperature_residuals (revision)`
  yield* appendOnly("temperature_residuals")
  yield* sql`
    CREATE TABLE temperature_calibrations (
      revision BIGINT NOT NULL,
      station TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      bucket INTEGER NOT NULL,
      state TEXT NOT NULL,
      published_at BIGINT NOT NULL,
      PRIMARY KEY (station, variable, bucket, revision)
    ) ${byKey(sql)}`
  yield* appendOnly("temperature_calibrations")
})

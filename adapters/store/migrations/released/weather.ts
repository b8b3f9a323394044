import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, finite, finiteOrNull } from "../appendOnly.ts"

/**
 * Official daily climate reports, and the calibration data of the temperature signal: forecasts as published, their errors
 * against the final reports, and the resulting states. The newest revision of a state counts.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Every version of every official daily climate report, with its source text.
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
      ${finiteOrNull(sql, "precip_in")},
      ${finiteOrNull(sql, "snow_in")},
      flags TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (station, day, product_id)
    )`
  yield* sql`CREATE INDEX climate_reports_final ON climate_reports (station, status, day)`
  yield* appendOnly("climate_reports")
  // version counts the changes of a station's reports and tells readers when to read again.
  yield* sql`CREATE TABLE climate_stations (station TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL)`
  // Climate days without a report in an archive that was asked after the report was due: separates "no report" from "not
  // asked". Rows expire: a day is then asked for again.
  yield* sql`
    CREATE TABLE climate_days_no_report (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      source TEXT NOT NULL,
      asked_at BIGINT NOT NULL,
      PRIMARY KEY (station, day, asked_at)
    ) ${byKey(sql)}`
  yield* appendOnly("climate_days_no_report")
  // The first forecast per target day and lead bucket.
  yield* sql`
    CREATE TABLE temperature_forecasts (
      station TEXT NOT NULL,
      target_day TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      bucket INTEGER NOT NULL,
      taken_at BIGINT NOT NULL,
      ${finite(sql, "forecast_f")},
      source TEXT NOT NULL,
      PRIMARY KEY (target_day, station, variable, bucket)
    ) ${byKey(sql)}`
  yield* appendOnly("temperature_forecasts")
  // folded = 1: counted, never changed. folded = 0: from a later report with another value; not counted.
  yield* sql`
    CREATE TABLE temperature_residuals (
      station TEXT NOT NULL,
      target_day TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      bucket INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      official_f INTEGER NOT NULL,
      ${finite(sql, "residual_f")},
      counted INTEGER NOT NULL CHECK (counted IN (0, 1)),
      revision BIGINT NOT NULL,
      noted_at BIGINT NOT NULL,
      PRIMARY KEY (target_day, station, variable, bucket, product_id)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE UNIQUE INDEX temperature_residuals_folded ON temperature_residuals (target_day, station, variable, bucket)
    WHERE counted = 1`
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
  // A day's extreme by observations, the expected distance beyond it, and the extreme of the final report.
  yield* sql`
    CREATE TABLE temperature_steps (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
      read_f INTEGER NOT NULL,
      ${finite(sql, "expected_f")},
      official_f INTEGER NOT NULL,
      product_id TEXT NOT NULL,
      revision BIGINT NOT NULL,
      noted_at BIGINT NOT NULL,
      PRIMARY KEY (station, day, variable)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX temperature_steps_revision ON temperature_steps (revision)`
  yield* appendOnly("temperature_steps")
})

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/** The values of the venue's settlement source, each version of a station's day; `revision` counts them from 1. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE venue_readings (
      station TEXT NOT NULL,
      day TEXT NOT NULL,
      revision INTEGER NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('official', 'preliminary', 'revised', 'no_report')),
      issued_at BIGINT NOT NULL,
      high_f INTEGER,
      low_f INTEGER,
      read_at BIGINT NOT NULL,
      PRIMARY KEY (station, day, revision)
    ) ${byKey(sql)}`
  yield* appendOnly("venue_readings")
})

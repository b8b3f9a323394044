import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * Captures are written with the charge of the call that bought them, stand in their leaves alone, and are sealed until their
 * close. Football's predictions become captures, and what came true of them outcomes of captures. What is on the record
 * from before stays as open as it was.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE record_leaves ADD COLUMN sealed_until BIGINT`
  yield* sql`DROP INDEX captures_on_demand`
  for (const column of ["params", "output", "quotes", "inputs_hash", "model_version"]) {
    yield* sql`ALTER TABLE captures DROP COLUMN ${sql(column)}`
  }
  // The call that bought it: its charge has the same id in the journal.
  yield* sql`ALTER TABLE captures ADD COLUMN request_id TEXT`
  yield* sql`CREATE UNIQUE INDEX captures_bought ON captures (request_id) WHERE request_id IS NOT NULL`
  yield* sql`CREATE INDEX captures_subject ON captures (lane, endpoint, subject, at)`
  yield* sql`
    INSERT INTO captures (id, lane, endpoint, subject, kind, at)
    SELECT id, lane, endpoint, subject, 'on_demand', at FROM predictions`
  yield* sql`
    CREATE TABLE capture_outcomes (
      capture_id TEXT NOT NULL REFERENCES captures (id),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      at BIGINT NOT NULL,
      outcome TEXT NOT NULL,
      scores TEXT NOT NULL,
      PRIMARY KEY (capture_id, revision)
    ) ${byKey(sql)}`
  yield* sql`
    INSERT INTO capture_outcomes (capture_id, revision, at, outcome, scores)
    SELECT prediction_id, revision, at, outcome, scores FROM prediction_outcomes`
  yield* appendOnly("capture_outcomes")
  // Dropping a table deletes its rows first, which its own trigger would refuse.
  for (const table of ["prediction_outcomes", "predictions"]) {
    yield* sql.unsafe(`DROP TRIGGER ${table}_no_delete`)
    yield* sql`DROP TABLE ${sql(table)}`
  }
})

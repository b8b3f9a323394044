import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, bytes, refuse } from "../appendOnly.ts"

/**
 * The record: leaves in order, from 0 without gaps; signed checkpoints; inputs of signals; captures and their outcomes.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A leaf's row also has the hashes of the subtrees that it completes, lowest first: at most n−1 for n leaves. A proof
  // reads a few rows by position, and no row is written twice.
  yield* sql`
    CREATE TABLE record_leaves (
      position ${sql.onDialectOrElse({
        sqlite: () => sql.literal("INTEGER PRIMARY KEY"),
        orElse: () => sql.literal("BIGINT PRIMARY KEY"),
      })},
      id TEXT NOT NULL UNIQUE,
      leaf_hash ${bytes(sql)} NOT NULL UNIQUE,
      subtrees ${bytes(sql)} NOT NULL,
      text TEXT NOT NULL,
      sealed_until BIGINT
    )`
  yield* appendOnly("record_leaves")
  yield* refuse({
    name: "record_leaves_no_gap",
    table: "record_leaves",
    verb: "INSERT",
    when: "NEW.position <> coalesce((SELECT MAX(position) + 1 FROM record_leaves), 0)",
    message: "record_leaves has no gaps",
  })
  yield* sql`
    CREATE TABLE record_checkpoints (
      size BIGINT NOT NULL PRIMARY KEY,
      at BIGINT NOT NULL,
      key TEXT NOT NULL,
      note TEXT NOT NULL
    ) ${byKey(sql)}`
  yield* appendOnly("record_checkpoints")
  // Inputs of signals, by the hash of their text.
  yield* sql`
    CREATE TABLE record_inputs (
      hash TEXT NOT NULL PRIMARY KEY,
      text TEXT NOT NULL
    )`
  yield* appendOnly("record_inputs")
  // Only the leaf has the content of a capture. `request_id`: the call that bought it; its charge has the same id in the
  // journal. The two unique indexes define which captures are duplicates.
  yield* sql`
    CREATE TABLE captures (
      id TEXT NOT NULL PRIMARY KEY,
      lane TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      subject TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('scheduled', 'on_demand')),
      at BIGINT NOT NULL,
      request_id TEXT
    )`
  yield* sql`
    CREATE UNIQUE INDEX captures_scheduled ON captures (lane, endpoint, subject, at) WHERE kind = 'scheduled'`
  yield* sql`CREATE UNIQUE INDEX captures_bought ON captures (request_id) WHERE request_id IS NOT NULL`
  yield* sql`CREATE INDEX captures_subject ON captures (lane, endpoint, subject, at)`
  yield* appendOnly("captures")
  // Outcomes of captures. A corrected outcome is a new row.
  yield* sql`
    CREATE TABLE capture_outcomes (
      capture_id TEXT NOT NULL REFERENCES captures (id),
      revision INTEGER NOT NULL CHECK (revision >= 1),
      at BIGINT NOT NULL,
      outcome TEXT NOT NULL,
      scores TEXT NOT NULL,
      PRIMARY KEY (capture_id, revision)
    ) ${byKey(sql)}`
  yield* appendOnly("capture_outcomes")
})

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * The record: leaves in the order in which they came, from 0 without a gap, and the checkpoints that were signed over
 * them. A leaf's row also holds the hashes of the subtrees that it completes, lowest first: with n leaves there are n−1
 * at most, every proof reads a handful of rows by position, and nothing has to be written twice. What signals were
 * computed from is kept under the hash of its own text.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE record_leaves (
      position ${sql.onDialectOrElse({
        sqlite: () => sql.literal("INTEGER PRIMARY KEY"),
        orElse: () => sql.literal("BIGINT PRIMARY KEY"),
      })},
      id TEXT NOT NULL UNIQUE,
      leaf_hash BLOB NOT NULL UNIQUE,
      subtrees BLOB NOT NULL,
      text TEXT NOT NULL
    )`
  yield* appendOnly("record_leaves")
  yield* sql`
    CREATE TRIGGER record_leaves_no_gap BEFORE INSERT ON record_leaves
    WHEN NEW.position <> coalesce((SELECT MAX(position) + 1 FROM record_leaves), 0)
    BEGIN SELECT RAISE(ABORT, 'record_leaves has no gaps'); END`
  yield* sql`
    CREATE TABLE record_checkpoints (
      size BIGINT NOT NULL PRIMARY KEY,
      at BIGINT NOT NULL,
      key TEXT NOT NULL,
      note TEXT NOT NULL
    ) ${byKey(sql)}`
  yield* appendOnly("record_checkpoints")
  yield* sql`
    CREATE TABLE record_inputs (
      hash TEXT NOT NULL PRIMARY KEY,
      text TEXT NOT NULL
    )`
  yield* appendOnly("record_inputs")
})

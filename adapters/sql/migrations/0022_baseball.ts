import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * Baseball games of the past, which backtests are made from. These are no tables of record: a file that corrects itself
 * changes them. Every row knows which file said it and when that was brought.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const said = sql.literal("source TEXT NOT NULL, fetched_at BIGINT NOT NULL")
  yield* sql`
    CREATE TABLE baseball_odds (
      game_id TEXT NOT NULL PRIMARY KEY,
      season INTEGER NOT NULL,
      day TEXT NOT NULL,
      neutral INTEGER NOT NULL CHECK (neutral IN (0, 1)),
      home_team TEXT NOT NULL,
      home_starter TEXT,
      home_runs INTEGER,
      home_open DOUBLE PRECISION,
      home_close DOUBLE PRECISION,
      away_team TEXT NOT NULL,
      away_starter TEXT,
      away_runs INTEGER,
      away_open DOUBLE PRECISION,
      away_close DOUBLE PRECISION,
      ${said},
      CHECK ((home_runs IS NULL) = (away_runs IS NULL))
    )`
  yield* sql`
    CREATE TABLE baseball_innings (
      game_id TEXT NOT NULL PRIMARY KEY,
      season INTEGER NOT NULL,
      home TEXT,
      away TEXT,
      ${said}
    )`
  yield* sql`
    CREATE TABLE baseball_game_logs (
      game_id TEXT NOT NULL PRIMARY KEY,
      season INTEGER NOT NULL,
      day TEXT NOT NULL,
      park TEXT NOT NULL,
      home_team TEXT NOT NULL,
      home_runs INTEGER NOT NULL,
      home_innings TEXT,
      home_earned_allowed INTEGER,
      home_starter TEXT,
      away_team TEXT NOT NULL,
      away_runs INTEGER NOT NULL,
      away_innings TEXT,
      away_earned_allowed INTEGER,
      away_starter TEXT,
      ${said}
    )`
  yield* sql`
    CREATE TABLE baseball_files (
      name TEXT NOT NULL PRIMARY KEY,
      feed TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      row_count INTEGER NOT NULL,
      fetched_at BIGINT NOT NULL
    )`
  for (const table of ["baseball_odds", "baseball_innings", "baseball_game_logs"]) {
    yield* sql`CREATE INDEX ${sql(`${table}_source`)} ON ${sql(table)} (source)`
  }
})

export default migration

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { byKey, bytes, finite, finiteOrNull } from "../appendOnly.ts"

/**
 * Football data from its sources; not part of the record, corrections at a source overwrite rows. Every row has its source
 * and the time of the fetch. `code` is the team's code of the season, `team` the franchise's.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const said = sql.literal("source TEXT NOT NULL, fetched_at BIGINT NOT NULL")
  yield* sql`
    CREATE TABLE football_games (
      game_id TEXT NOT NULL PRIMARY KEY,
      season INTEGER NOT NULL,
      week INTEGER NOT NULL CHECK (week BETWEEN 1 AND 22),
      game_type TEXT NOT NULL,
      gameday TEXT NOT NULL,
      kickoff TEXT,
      home_team TEXT NOT NULL,
      home_code TEXT NOT NULL,
      home_rest INTEGER NOT NULL,
      home_qb_id TEXT,
      home_qb_name TEXT,
      home_coach TEXT,
      home_score INTEGER,
      away_team TEXT NOT NULL,
      away_code TEXT NOT NULL,
      away_rest INTEGER NOT NULL,
      away_qb_id TEXT,
      away_qb_name TEXT,
      away_coach TEXT,
      away_score INTEGER,
      neutral INTEGER NOT NULL CHECK (neutral IN (0, 1)),
      division INTEGER NOT NULL CHECK (division IN (0, 1)),
      roof TEXT,
      surface TEXT,
      ${finiteOrNull(sql, "temperature")},
      ${finiteOrNull(sql, "wind")},
      stadium TEXT,
      ${finiteOrNull(sql, "spread_line")},
      ${finiteOrNull(sql, "total_line")},
      home_moneyline INTEGER,
      away_moneyline INTEGER,
      ${said},
      CHECK ((home_score IS NULL) = (away_score IS NULL))
    )`
  yield* sql`CREATE INDEX football_games_season ON football_games (season, gameday)`
  yield* sql`
    CREATE TABLE football_team_weeks (
      season INTEGER NOT NULL,
      week INTEGER NOT NULL,
      team TEXT NOT NULL,
      ${finite(sql, "epa")},
      turnovers INTEGER NOT NULL,
      ${said},
      PRIMARY KEY (season, week, team)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE football_quarterback_weeks (
      player_id TEXT NOT NULL,
      season INTEGER NOT NULL,
      week INTEGER NOT NULL,
      player_name TEXT NOT NULL,
      position TEXT NOT NULL,
      code TEXT NOT NULL,
      opponent_code TEXT NOT NULL,
      completions INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      passing_yards INTEGER NOT NULL,
      passing_tds INTEGER NOT NULL,
      interceptions INTEGER NOT NULL,
      sacks_suffered INTEGER NOT NULL,
      ${finiteOrNull(sql, "passing_epa")},
      ${finiteOrNull(sql, "cpoe")},
      rushing_yards INTEGER NOT NULL,
      rushing_tds INTEGER NOT NULL,
      ${said},
      PRIMARY KEY (player_id, season, week)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE football_injuries (
      season INTEGER NOT NULL,
      team TEXT NOT NULL,
      week INTEGER NOT NULL,
      player_key TEXT NOT NULL,
      code TEXT NOT NULL,
      player TEXT NOT NULL,
      gsis_id TEXT,
      position TEXT,
      report_status TEXT,
      practice_status TEXT,
      injury TEXT,
      ${said},
      PRIMARY KEY (season, team, week, player_key)
    ) ${byKey(sql)}`
  // Players on reserve lists; week 0 is the roster before the season.
  yield* sql`
    CREATE TABLE football_reserves (
      season INTEGER NOT NULL,
      team TEXT NOT NULL,
      week INTEGER NOT NULL CHECK (week BETWEEN 0 AND 22),
      player_key TEXT NOT NULL,
      code TEXT NOT NULL,
      player TEXT NOT NULL,
      gsis_id TEXT,
      position TEXT,
      status TEXT NOT NULL,
      designation TEXT,
      ${said},
      PRIMARY KEY (season, team, week, player_key)
    ) ${byKey(sql)}`
  // Loaded roster weeks, including those of teams without a reserve.
  yield* sql`
    CREATE TABLE football_roster_weeks (
      season INTEGER NOT NULL,
      team TEXT NOT NULL,
      week INTEGER NOT NULL,
      ${said},
      PRIMARY KEY (season, team, week)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE football_top100 (
      season INTEGER NOT NULL,
      rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 100),
      player_name TEXT NOT NULL,
      code TEXT NOT NULL,
      position TEXT NOT NULL,
      ${said},
      PRIMARY KEY (season, rank)
    ) ${byKey(sql)}`
  // Loaded seasons of feeds. version counts the changes and tells readers when to read again.
  yield* sql`
    CREATE TABLE football_feeds (
      feed TEXT NOT NULL,
      season INTEGER NOT NULL,
      version BIGINT NOT NULL,
      checked_at BIGINT NOT NULL,
      PRIMARY KEY (feed, season)
    ) ${byKey(sql)}`
  // States of the rating after each season's last gameday, to continue from; made_from is a hash of model and data.
  yield* sql`
    CREATE TABLE football_rating_states (
      league TEXT NOT NULL,
      season INTEGER NOT NULL,
      made_from TEXT NOT NULL,
      state TEXT NOT NULL,
      numbers ${bytes(sql)} NOT NULL,
      PRIMARY KEY (league, season)
    )`
  // Files: validators for conditional requests, and the hash of the last content.
  yield* sql`
    CREATE TABLE football_files (
      name TEXT NOT NULL PRIMARY KEY,
      feed TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      row_count INTEGER NOT NULL,
      fetched_at BIGINT NOT NULL,
      checked_at BIGINT NOT NULL
    )`
})

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * Pitching of both teams in finished games, JSON of one line of a box score each, or why a game teaches nothing; and whole
 * seasons of those who started, before their first start in `season`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE mlb_pitched_games (
      id TEXT NOT NULL PRIMARY KEY,
      season INTEGER NOT NULL,
      day TEXT NOT NULL,
      lines TEXT,
      refusal TEXT,
      read_at BIGINT NOT NULL,
      CHECK ((lines IS NULL) <> (refusal IS NULL))
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE mlb_pitcher_careers (
      pitcher TEXT NOT NULL,
      season INTEGER NOT NULL,
      seasons TEXT NOT NULL,
      PRIMARY KEY (pitcher, season)
    ) ${byKey(sql)}`
  yield* appendOnly("mlb_pitched_games")
  yield* appendOnly("mlb_pitcher_careers")
})

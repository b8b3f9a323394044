import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The last attempts to read each feed, of whichever node made them; `fields`: since when each column came, JSON. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE feed_attempts (
      feed TEXT NOT NULL PRIMARY KEY,
      attempted_at BIGINT NOT NULL,
      good_at BIGINT,
      refused_at BIGINT,
      refusal TEXT,
      fields TEXT NOT NULL
    )`
})

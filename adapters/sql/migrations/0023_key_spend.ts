import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { byKey } from "./appendOnly.ts"

/**
 * What each key was charged in each UTC month, kept by the step that charges it: nobody has to add up a month of the
 * journal to say it. A charge counts in the month in which its call began, as it does for agents.
 */
const migration: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE key_spend (
      key_id TEXT NOT NULL REFERENCES api_keys (id),
      month TEXT NOT NULL,
      micros BIGINT NOT NULL CHECK (micros >= 0),
      PRIMARY KEY (key_id, month)
    ) ${byKey(sql)}`
  const month = sql.onDialectOrElse({
    sqlite: () => sql.literal("strftime('%Y-%m', at / 1000, 'unixepoch')"),
    orElse: () => sql.literal("to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')"),
  })
  yield* sql`
    INSERT INTO key_spend (key_id, month, micros)
    SELECT key_id, ${month}, SUM(micros) FROM journal
    WHERE kind = 'charge' AND key_id IS NOT NULL GROUP BY 1, 2`
})

export default migration

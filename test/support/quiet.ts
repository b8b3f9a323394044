import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** Until the server of PostgreSQL has ended what killed processes had asked of it. */
export const isQuiet = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND (state <> 'idle' OR wait_event = 'ClientRead')`,
).pipe(Effect.repeat({ until: (found) => found.length === 0, schedule: Schedule.spaced("50 millis") }))

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"

const application = "to be killed"

/** The URL for a process that the test kills: the server knows its connections by their name. */
export const mortal = (url: Redacted.Redacted): string => {
  const named = new URL(Redacted.value(url))
  named.searchParams.set("application_name", application)
  return named.toString()
}

/** Until the server of PostgreSQL has ended what killed processes had asked of it. */
export const isQuiet = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${application}`,
).pipe(Effect.repeat({ until: (found) => found.length === 0, schedule: Schedule.spaced("50 millis") }))

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../core/Failure.ts"
import { orUnavailable } from "./storage.ts"

/** Writes a row and waits until it is on disk: what a charge needs of the store. */
export const beat = (now: number): Effect.Effect<void, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    orUnavailable(
      Effect.asVoid(sql`
        INSERT INTO heartbeats (name, at) VALUES ('ready', ${now}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`),
    ),
  )

import * as SqlClient from "@effect/sql/SqlClient"
import type { Statement } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { mapStorageErrors } from "../engine/storage.ts"

/** Writes a row and waits until it is durable, like a charge. */
export const writeHeartbeat = (now: number): Effect.Effect<void, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    mapStorageErrors(
      Effect.asVoid(sql`
        INSERT INTO heartbeats (name, at) VALUES ('ready', ${now}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`),
    ),
  )

/**
 * The time of the newest valid data that a lane has stored, epoch milliseconds.
 *
 * @param query selects one row with the time as `at`; it should read ends of indexes only
 */
export const newestAt = (
  query: (sql: SqlClient.SqlClient) => Statement<{ readonly at: number | null }>,
): Effect.Effect<number | undefined, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(mapStorageErrors(query(sql)), ([row]) => row?.at ?? undefined),
  )

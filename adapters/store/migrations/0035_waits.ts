import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { accessChanges } from "./released/sharedTables.ts"

/**
 * Batches of charges that are to be ended, whose answers nobody was given; functions that wait for no lock for long; and what
 * each change of keys concerns.
 */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`
          CREATE TABLE cancels (batch UUID PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), calls JSON NOT NULL)`
        yield* sql.unsafe(accessChanges)
      }),
  }),
)

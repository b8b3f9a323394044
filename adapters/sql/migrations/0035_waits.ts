import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { functions, monthsAhead } from "../postgres/functions.ts"

/** Batches of charges that are to be ended, whose answers nobody was given, and functions that wait for no lock for long. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`
          CREATE TABLE cancels (batch UUID PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), calls JSON NOT NULL)`
        const [{ name } = { name: "public" }] = yield* sql<{
          name: string
        }>`SELECT quote_ident(current_schema()) AS name`
        for (const statement of functions(name)) yield* sql.unsafe(statement)
        yield* sql`SELECT audit_ahead(${monthsAhead})`
      }),
  }),
)

import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { byKey, changing } from "../appendOnly.ts"

/** Sums of the audit trail, and how far they go. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `span`: an hour or a day in milliseconds; `start`: its beginning. Each call counts once in each kind of group: rows of
  // combined groups would be as many as their products, and a page shows one kind. `name` of a status: its class, as `2xx`.
  yield* sql`
    CREATE TABLE usage_sums (
      account_id TEXT NOT NULL,
      span BIGINT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('endpoint', 'agent', 'key', 'status')),
      start BIGINT NOT NULL,
      name TEXT NOT NULL,
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      calls BIGINT NOT NULL CHECK (calls > 0),
      charged_micros BIGINT NOT NULL CHECK (charged_micros >= 0),
      PRIMARY KEY (account_id, span, kind, start, name, livemode)
    ) ${byKey(sql)} ${changing(sql)}`
  // Rows of a month's audit trail that are in the sums, in the order of writing, which is the same in both kinds of store.
  yield* sql`CREATE TABLE usage_months (month TEXT NOT NULL PRIMARY KEY, folded BIGINT NOT NULL CHECK (folded >= 0))`
  // The last of these rows on PostgreSQL; absent after a copy, then it is found by its number.
  yield* sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.asVoid(
        sql`CREATE TABLE usage_places (month TEXT NOT NULL PRIMARY KEY, tx XID8 NOT NULL, seq BIGINT NOT NULL)`,
      ),
  })
})

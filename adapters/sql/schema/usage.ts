import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { byKey, changing } from "./appendOnly.ts"

/** Sums of the audit trail, and how far they go. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `span`: an hour or a day in milliseconds; `start`: its beginning. `status`: the first digit of the status code.
  yield* sql`
    CREATE TABLE usage_sums (
      account_id TEXT NOT NULL,
      span BIGINT NOT NULL,
      start BIGINT NOT NULL,
      key_id TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      status INTEGER NOT NULL,
      calls BIGINT NOT NULL CHECK (calls > 0),
      charged_micros BIGINT NOT NULL CHECK (charged_micros >= 0),
      PRIMARY KEY (account_id, span, start, key_id, agent_id, endpoint, livemode, status)
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

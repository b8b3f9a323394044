import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { byKey, finite } from "../appendOnly.ts"

/** The one-minute tape. Old candles are deleted; a stored minute never changes. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE candles (
      asset TEXT NOT NULL,
      minute BIGINT NOT NULL,
      ${finite(sql, "high")},
      low DOUBLE PRECISION NOT NULL CHECK (low > 0 AND low <= high),
      close DOUBLE PRECISION NOT NULL CHECK (close BETWEEN low AND high),
      ${finite(sql, "volume")} CHECK (volume > 0),
      source TEXT NOT NULL,
      PRIMARY KEY (asset, minute)
    ) ${byKey(sql)}`
  // version counts the changes of an asset's tape and tells readers when to read again.
  yield* sql`CREATE TABLE tapes (asset TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL)`
  yield* sql`
    CREATE TABLE tape_agreements (
      asset TEXT NOT NULL,
      minute BIGINT NOT NULL,
      primary_source TEXT NOT NULL,
      secondary_source TEXT NOT NULL,
      ${finite(sql, "gap")},
      PRIMARY KEY (asset, minute)
    )`
})

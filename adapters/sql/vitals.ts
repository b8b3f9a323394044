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

/** When good data last came to the lanes that keep it in the store: epoch milliseconds. Reads ends of indexes only. */
export const newestData: Effect.Effect<
  Readonly<Record<"crypto" | "football" | "markets", number | undefined>>,
  Failure,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* orUnavailable(
    sql<Readonly<Record<"crypto" | "football" | "markets", number | null>>>`
      SELECT
        -- A candle is known when its minute is over. The asset that is furthest behind decides.
        (SELECT min((SELECT max(minute) FROM candles c WHERE c.asset = t.asset) + 1) * 60000 FROM tapes t) AS crypto,
        (SELECT max(checked_at) FROM football_feeds) AS football,
        (SELECT max(at) FROM venue_readings) AS markets`,
  )
  return {
    crypto: row?.crypto ?? undefined,
    football: row?.football ?? undefined,
    markets: row?.markets ?? undefined,
  }
})

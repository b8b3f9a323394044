import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { transaction } from "../engine/storage.ts"
import schema from "./0029_schema.ts"
import walletLow from "./0032_wallet_low.ts"
import buyers from "./0033_buyers.ts"
import payers from "./0034_payers.ts"
import waits from "./0035_waits.ts"
import usage from "./0036_usage.ts"
import tail from "./0038_tail.ts"
import replies from "./0039_replies.ts"
import postings from "./0040_postings.ts"
import feeds from "./0041_feeds.ts"
import venueReadings from "./0042_venue_readings.ts"
import alerts from "./0043_alerts.ts"
import mlbPitching from "./0044_mlb_pitching.ts"
import weatherGuidance from "./0045_weather_guidance.ts"
import { applyFunctions } from "./functions.ts"
import challenge from "./released/challenge.ts"
import orders from "./released/orders.ts"

/** In order. Ids are never reused; 1 to 28 are taken. Static imports, so that a bundle or Deno needs no directory. */
export const migrations = [
  [29, "schema", schema],
  [30, "challenge", challenge],
  [31, "orders", orders],
  [32, "wallet_low", walletLow],
  [33, "buyers", buyers],
  [34, "payers", payers],
  [35, "waits", waits],
  [36, "usage", usage],
  // Functions alone, with which nodes of before cannot charge any more.
  [37, "law", Effect.void],
  [38, "tail", tail],
  [39, "replies", replies],
  [40, "postings", postings],
  [41, "feeds", feeds],
  [42, "venue_readings", venueReadings],
  [43, "alerts", alerts],
  [44, "mlb_pitching", mlbPitching],
  [45, "weather_guidance", weatherGuidance],
] as const

/** The oldest schema that can be migrated. Older ones were never released. */
export const oldest: number = migrations[0][0]

/** The newest schema of this program. */
export const newest: number = Math.max(...migrations.map(([id]) => id))

/** The schema of a store: its newest applied migration; 0 for a new one. Read only. */
export const readVersion: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.onDialectOrElse({
    sqlite: () => sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`,
    orElse: () => sql`SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'`,
  })
  if (tables.length === 0) return 0
  const [row] = yield* sql<{ id: number | null }>`SELECT max(migration_id) AS id FROM migrations`
  return row?.id ?? 0
})

const run = (last: number) =>
  Migrator.make({})({
    table: "migrations",
    loader: Effect.succeed(
      migrations
        .filter(([id]) => id <= last)
        .map(([id, name, migration]) => [id, name, Effect.succeed(migration)] as const),
    ),
  })

/**
 * Makes programs that open a new store together wait for each other. SQLite's transaction begins with the write lock; on
 * PostgreSQL a lock of our own does the same. The migrator would look for its table there with a statement that fails, which
 * ends a transaction, so the table is created before.
 */
const lockOthersOut = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.all(
        [
          // Another program's migration may take minutes.
          sql`SELECT set_config('lock_timeout', '0', true)`,
          sql`SELECT pg_advisory_xact_lock(hashtext('market-signals migrations'))`,
          sql`
            CREATE TABLE IF NOT EXISTS migrations (
              migration_id INTEGER PRIMARY KEY,
              created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
              name TEXT NOT NULL
            )`,
        ],
        { discard: true },
      ),
  })

/** The functions of PostgreSQL are applied whole, after the tables of the newest schema, which they use. */
const withFunctions = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  sql.onDialectOrElse({ sqlite: () => Effect.void, orElse: () => applyFunctions })

/**
 * Migrates a store to a schema in one transaction; does nothing if the store has it. The transaction also makes programs
 * that open a new store together wait for each other, which the migrator itself does not.
 *
 * @param last the schema; default the newest
 */
export const migrateTo = (
  last: number = newest,
): Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    transaction(
      sql,
      Effect.zipRight(
        lockOthersOut(sql),
        Effect.flatMap(run(last), ({ length }) => (length > 0 && last === newest ? withFunctions(sql) : Effect.void)),
      ),
    ),
  ).pipe(
    // The migrator throws a failed migration as a defect.
    Effect.catchSomeDefect((defect) =>
      defect instanceof Migrator.MigrationError ? Option.some(Effect.fail(defect)) : Option.none(),
    ),
  )

/** Migrates a store to the newest schema. */
export const migrate = migrateTo()

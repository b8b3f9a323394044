import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { transaction } from "../storage.ts"
import accounts from "./0001_accounts.ts"
import climateReports from "./0002_climate_reports.ts"
import agents from "./0003_agents.ts"
import jobRuns from "./0004_job_runs.ts"
import shadowLog from "./0005_shadow_log.ts"
import captures from "./0006_captures.ts"
import candles from "./0007_candles.ts"
import temperatureCalibrations from "./0008_temperature_calibrations.ts"
import climateDaysAsked from "./0009_climate_days_asked.ts"
import auditOrder from "./0010_audit_order.ts"
import webhooks from "./0011_webhooks.ts"
import predictions from "./0012_predictions.ts"
import football from "./0013_football.ts"
import record from "./0014_record.ts"
import settledRows from "./0015_settled_rows.ts"
import contracts from "./0016_contracts.ts"
import keyOverlap from "./0017_key_overlap.ts"
import auditPages from "./0018_audit_pages.ts"
import webhookPauses from "./0019_webhook_pauses.ts"
import climateDaysWithout from "./0020_climate_days_without.ts"
import installationSecrets from "./0021_installation_secrets.ts"
import baseball from "./0022_baseball.ts"
import keySpend from "./0023_key_spend.ts"
import auditMonths from "./0024_audit_months.ts"
import replies from "./0025_replies.ts"
import heartbeats from "./0026_heartbeats.ts"
import soldCaptures from "./0027_sold_captures.ts"

/** In order; ids are never reused. Static imports, so that a bundle or Deno needs no directory to read. */
export const migrations = [
  [1, "accounts", accounts],
  [2, "climate_reports", climateReports],
  [3, "agents", agents],
  [4, "job_runs", jobRuns],
  [5, "shadow_log", shadowLog],
  [6, "captures", captures],
  [7, "candles", candles],
  [8, "temperature_calibrations", temperatureCalibrations],
  [9, "climate_days_asked", climateDaysAsked],
  [10, "audit_order", auditOrder],
  [11, "webhooks", webhooks],
  [12, "predictions", predictions],
  [13, "football", football],
  [14, "record", record],
  [15, "settled_rows", settledRows],
  [16, "contracts", contracts],
  [17, "key_overlap", keyOverlap],
  [18, "audit_pages", auditPages],
  [19, "webhook_pauses", webhookPauses],
  [20, "climate_days_without", climateDaysWithout],
  [21, "installation_secrets", installationSecrets],
  [22, "baseball", baseball],
  [23, "key_spend", keySpend],
  [24, "audit_months", auditMonths],
  [25, "replies", replies],
  [26, "heartbeats", heartbeats],
  [27, "sold_captures", soldCaptures],
] as const

/** The schema that this program knows. */
export const newest: number = Math.max(...migrations.map(([id]) => id))

/** The schema of a store: the newest migration that was applied to it; 0 for a new one. Changes nothing. */
export const versionOf: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`
  if (tables.length === 0) return 0
  const [row] = yield* sql<{ id: number | null }>`SELECT max(migration_id) AS id FROM migrations`
  return row?.id ?? 0
})

const run = Migrator.make({})({
  table: "migrations",
  loader: Effect.succeed(migrations.map(([id, name, migration]) => [id, name, Effect.succeed(migration)] as const)),
})

/**
 * Brings a store to the newest schema, whole or not at all. A no-op when it is there already. Programs that open a new
 * store together take turns: by itself the migrator would let the second one go on before the first is done.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(transaction(sql, run)),
).pipe(
  // The migrator throws a migration that failed.
  Effect.catchSomeDefect((defect) =>
    defect instanceof Migrator.MigrationError ? Option.some(Effect.fail(defect)) : Option.none(),
  ),
)

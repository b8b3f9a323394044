import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd } from "../../../core/account/Money.ts"
import { type BoundedCount, boundedCount, maxCounted } from "../../../core/BoundedCount.ts"
import type { Failure } from "../../../core/Failure.ts"
import { Installation, mostSearched, type TableSize } from "../../../core/operation/Installation.ts"
import { type AccountRow, account } from "../account/AccountStore.ts"
import { containsPattern, inTransaction, mapStorageErrors } from "../engine/storage.ts"
import { type DeliveryRow, deliveryColumns, isRepeated, withAttempts } from "../events/WebhookStore.ts"
import { folds } from "../money/folds.ts"
import { readVersion } from "../schema/migrate.ts"
import { databaseBytes } from "./gauges.ts"

/** Attempts of a delivery after which its webhook is failing: the receiver is down, not restarted. */
const failedTries = 3

/** Accounts of the list of those with dead letters. */
const mostAccounts = 20

const countRows = (sql: SqlClient.SqlClient, condition: Statement.Fragment): Effect.Effect<BoundedCount, SqlError> =>
  Effect.map(
    sql<{ count: number }>`
      SELECT COUNT(*) AS count
      FROM (SELECT 1 FROM webhook_deliveries WHERE ${condition} LIMIT ${maxCounted + 1}) bounded`,
    ([row]) => boundedCount(row!.count),
  )

/** Accounts that have a text: in part among the newest, as a whole among all. */
const withText = (sql: SqlClient.SqlClient, text: string) => sql`
  a.id IN (
    SELECT id FROM (SELECT id, name FROM accounts ORDER BY id DESC LIMIT ${mostSearched}) newest
    WHERE lower(name) LIKE ${containsPattern(text.toLowerCase())} ESCAPE '\\'
      OR name LIKE ${containsPattern(text)} ESCAPE '\\' OR id LIKE ${containsPattern(text)} ESCAPE '\\'
    UNION SELECT id FROM accounts WHERE id = ${text} UNION SELECT id FROM accounts WHERE name = ${text})`

interface Found {
  readonly server: string
  readonly tables: ReadonlyArray<TableSize>
}

/**
 * SQLite knows how many rows a table has had from its first and last row number; tables without row numbers (the journal is
 * one) it could only count, and they are left out.
 */
const inSqlite = (sql: SqlClient.SqlClient): Effect.Effect<Found, SqlError> =>
  Effect.gen(function* () {
    const [facts] = yield* sql<{ version: string }>`SELECT sqlite_version() AS version`
    const named = yield* sql<{ name: string }>`
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0 AND name NOT LIKE 'sqlite%'`
    const sizes = yield* sql.unsafe<{ name: string; rows: number }>(
      named
        .map(({ name }) => {
          // Two look-ups of the table's ends: max and min in one SELECT would read it whole.
          const table = `"${name.replaceAll('"', '""')}"`
          const end = (which: "max" | "min") => `coalesce((SELECT ${which}(rowid) FROM ${table}), 0)`
          return `SELECT '${name.replaceAll("'", "''")}' AS name,
            CASE ${end("max")} WHEN 0 THEN 0 ELSE ${end("max")} - ${end("min")} + 1 END AS rows`
        })
        .join(" UNION ALL "),
    )
    return { server: `SQLite ${facts!.version}`, tables: sizes }
  })

/** PostgreSQL estimates the rows of each table when it analyses it; a table that it has not analysed is left out. */
const inPostgres = (sql: SqlClient.SqlClient): Effect.Effect<Found, SqlError> =>
  Effect.gen(function* () {
    const [facts] = yield* sql<{ version: string }>`SELECT current_setting('server_version') AS version`
    const tables = yield* sql<Required<TableSize>>`
      SELECT c.relname AS name, c.reltuples::bigint AS rows, pg_total_relation_size(c.oid) AS bytes FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.reltuples >= 0`
    return { server: `PostgreSQL ${facts!.version}`, tables }
  })

/** Reads over all accounts, on either store. */
export const layer: Layer.Layer<Installation, never, SqlClient.SqlClient> = Layer.effect(
  Installation,
  Effect.map(Effect.all([SqlClient.SqlClient, folds]), ([sql, { charges }]) => {
    /** Wallets and charges that they do not have as they are at one moment. */
    const exactly = <A>(read: Effect.Effect<A, SqlError>): Effect.Effect<A, Failure> =>
      sql.onDialectOrElse({ sqlite: () => inTransaction(sql, read), orElse: () => mapStorageErrors(read) })
    return {
      accounts: (text, limit, cursor) =>
        exactly(
          Effect.map(
            sql<AccountRow & { readonly balance_micros: number }>`
            SELECT a.*, w.balance_micros FROM accounts a JOIN wallets w ON w.account_id = a.id
            WHERE ${sql.and([
              ...(text === "" ? [] : [withText(sql, text)]),
              ...(cursor === undefined ? [] : [sql`a.id < ${cursor}`]),
            ])}
            ORDER BY a.id DESC LIMIT ${limit}`,
            (rows) =>
              rows.map((row) => ({
                account: account.fromRow(row),
                balance: MicroUsd(row.balance_micros - charges(row.id)),
              })),
          ),
        ),
      deliveries: (since) =>
        mapStorageErrors(
          Effect.gen(function* () {
            const [next] = yield* sql<{ at: number | null }>`
            SELECT MIN(d.due_at) AS at FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
            WHERE d.ended_at IS NULL AND w.status = 'active'`
            const [failing] = yield* sql<{ count: number }>`
            SELECT COUNT(DISTINCT d.webhook_id) AS count FROM (
              SELECT seq, webhook_id FROM webhook_deliveries WHERE ended_at IS NULL ORDER BY due_at LIMIT ${maxCounted}
            ) d JOIN webhooks w ON w.id = d.webhook_id
            WHERE w.status = 'active'
              AND EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery = d.seq AND a.number >= ${failedTries})`
            const deadOf = yield* sql<{ id: string; name: string; count: number }>`
            SELECT a.id, a.name, SUM(dead.count) AS count
            FROM (
              SELECT webhook_id, COUNT(*) AS count FROM (
                SELECT webhook_id FROM webhook_deliveries
                WHERE outcome = 'dead' ORDER BY ended_at DESC LIMIT ${maxCounted}
              ) newest GROUP BY webhook_id
            ) dead JOIN webhooks w ON w.id = dead.webhook_id JOIN accounts a ON a.id = w.account_id
            GROUP BY a.id, a.name ORDER BY count DESC, a.id LIMIT ${mostAccounts}`
            return {
              pending: yield* countRows(sql, sql`ended_at IS NULL`),
              failing: Number(failing!.count),
              ...(next?.at == null ? {} : { dueAt: next.at }),
              ended: yield* countRows(sql, sql`ended_at >= ${since}`),
              dead: yield* countRows(sql, sql`outcome = 'dead' AND ended_at >= ${since}`),
              // PostgreSQL's sum of numbers is text.
              deadOf: deadOf.map(({ id, name, count }) => ({ account: { id, name }, count: Number(count) })),
            }
          }),
        ),
      sent: ({ dead, limit }) =>
        mapStorageErrors(
          Effect.gen(function* () {
            const order = dead
              ? sql`WHERE outcome = 'dead' ORDER BY ended_at DESC, webhook_id DESC, seq DESC`
              : sql`ORDER BY seq DESC`
            const rows = yield* sql<DeliveryRow & { account_id: string; account_name: string; url: string }>`
            SELECT d.*, w.url, w.account_id, a.name AS account_name, CASE w.status WHEN 'paused' THEN 1 ELSE 0 END AS paused,
              CASE WHEN ${isRepeated(sql)} THEN 1 ELSE 0 END AS repeated
            FROM (
              SELECT ${deliveryColumns(sql)}
              FROM webhook_deliveries ${order} LIMIT ${limit}
            ) d JOIN webhooks w ON w.id = d.webhook_id JOIN accounts a ON a.id = w.account_id`
            const newest = (row: DeliveryRow): number => (dead ? (row.ended_at ?? 0) : row.seq)
            const sorted = rows.toSorted((one, other) => newest(other) - newest(one) || other.seq - one.seq)
            return (yield* withAttempts(sql, sorted)).map((delivery, index) => {
              const { account_id: id, account_name: name, url } = sorted[index]!
              return { account: { id, name }, url, delivery }
            })
          }),
        ),
      store: (limit) =>
        mapStorageErrors(
          Effect.gen(function* () {
            const { tables, ...facts } = yield* sql.onDialectOrElse({
              sqlite: () => inSqlite(sql),
              orElse: () => inPostgres(sql),
            })
            const largest = tables
              .filter(({ rows }) => rows > 0)
              .toSorted(
                (one, other) =>
                  (other.bytes ?? other.rows) - (one.bytes ?? one.rows) || one.name.localeCompare(other.name),
              )
            return {
              ...facts,
              bytes: yield* Effect.provideService(databaseBytes, SqlClient.SqlClient, sql),
              schema: yield* Effect.provideService(readVersion, SqlClient.SqlClient, sql),
              tables: largest.slice(0, limit),
            }
          }),
        ),
    }
  }),
)

import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd } from "../../../core/account/Money.ts"
import { type BoundedCount, boundedCount, maxCounted } from "../../../core/BoundedCount.ts"
import type { Failure } from "../../../core/Failure.ts"
import { Installation, maxSearchedAccounts } from "../../../core/operation/Installation.ts"
import { type AccountRow, account } from "../account/AccountStore.ts"
import { inTransaction, likePattern, mapStorageErrors } from "../engine/storage.ts"
import { type DeliveryRow, deliveryColumns, isRepeated, withAttempts } from "../events/WebhookStore.ts"
import { folds } from "../money/folds.ts"
import { readVersion } from "../schema/migrate.ts"
import { databaseBytes } from "./gauges.ts"

/** Attempts after which a webhook counts as failing: its receiver is not just restarting. */
const failingAttempts = 3

const maxAccounts = 20

const countRows = (sql: SqlClient.SqlClient, condition: Statement.Fragment): Effect.Effect<BoundedCount, SqlError> =>
  Effect.map(
    sql<{ count: number }>`
      SELECT COUNT(*) AS count
      FROM (SELECT 1 FROM webhook_deliveries WHERE ${condition} LIMIT ${maxCounted + 1}) bounded`,
    ([row]) => boundedCount(row!.count),
  )

/** SQL: accounts whose id or name contains a text, among the newest, or equals it, among all. */
const matchesText = (sql: SqlClient.SqlClient, text: string) => sql`
  a.id IN (
    SELECT id FROM (SELECT id, name FROM accounts ORDER BY id DESC LIMIT ${maxSearchedAccounts}) newest
    WHERE lower(name) LIKE ${likePattern(text.toLowerCase())} ESCAPE '\\'
      OR name LIKE ${likePattern(text)} ESCAPE '\\' OR id LIKE ${likePattern(text)} ESCAPE '\\'
    UNION SELECT id FROM accounts WHERE id = ${text} UNION SELECT id FROM accounts WHERE name = ${text})`

const countDeliveries = (sql: SqlClient.SqlClient, since: number) =>
  Effect.gen(function* () {
    const [next] = yield* sql<{ at: number | null }>`
    SELECT MIN(d.due_at) AS at FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.ended_at IS NULL AND w.status = 'active'`
    const [failing] = yield* sql<{ count: number }>`
    SELECT COUNT(DISTINCT d.webhook_id) AS count FROM (
      SELECT seq, webhook_id FROM webhook_deliveries WHERE ended_at IS NULL ORDER BY due_at LIMIT ${maxCounted}
    ) d JOIN webhooks w ON w.id = d.webhook_id
    WHERE w.status = 'active'
      AND EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery = d.seq AND a.number >= ${failingAttempts})`
    const deadByAccount = yield* sql<{ id: string; name: string; count: number }>`
    SELECT a.id, a.name, SUM(dead.count) AS count
    FROM (
      SELECT webhook_id, COUNT(*) AS count FROM (
        SELECT webhook_id FROM webhook_deliveries
        WHERE outcome = 'dead' ORDER BY ended_at DESC LIMIT ${maxCounted}
      ) newest GROUP BY webhook_id
    ) dead JOIN webhooks w ON w.id = dead.webhook_id JOIN accounts a ON a.id = w.account_id
    GROUP BY a.id, a.name ORDER BY count DESC, a.id LIMIT ${maxAccounts}`
    return {
      pending: yield* countRows(sql, sql`ended_at IS NULL`),
      failing: Number(failing!.count),
      ...(next?.at == null ? {} : { dueAt: next.at }),
      ended: yield* countRows(sql, sql`ended_at >= ${since}`),
      dead: yield* countRows(sql, sql`outcome = 'dead' AND ended_at >= ${since}`),
      // PostgreSQL's sum of numbers is text.
      deadByAccount: deadByAccount.map(({ id, name, count }) => ({ account: { id, name }, count: Number(count) })),
    }
  })

/** Reads over all accounts, on either store. */
export const layer: Layer.Layer<Installation, never, SqlClient.SqlClient> = Layer.effect(
  Installation,
  Effect.map(Effect.all([SqlClient.SqlClient, folds]), ([sql, { charges }]) => {
    /** Reads wallets and their unfolded charges at one moment. */
    const readExactly = <A>(read: Effect.Effect<A, SqlError>): Effect.Effect<A, Failure> =>
      sql.onDialectOrElse({ sqlite: () => inTransaction(sql, read), orElse: () => mapStorageErrors(read) })
    return {
      accounts: (text, limit, cursor) =>
        readExactly(
          Effect.map(
            sql<AccountRow & { readonly balance_micros: number }>`
            SELECT a.*, w.balance_micros FROM accounts a JOIN wallets w ON w.account_id = a.id
            WHERE ${sql.and([
              ...(text === "" ? [] : [matchesText(sql, text)]),
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
      deliveries: (since) => mapStorageErrors(countDeliveries(sql, since)),
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
      store: mapStorageErrors(
        Effect.gen(function* () {
          const [facts] = yield* sql.onDialectOrElse({
            sqlite: () => sql<{ server: string }>`SELECT 'SQLite ' || sqlite_version() AS server`,
            orElse: () => sql<{ server: string }>`SELECT 'PostgreSQL ' || current_setting('server_version') AS server`,
          })
          return {
            server: facts!.server,
            bytes: yield* Effect.provideService(databaseBytes, SqlClient.SqlClient, sql),
            schema: yield* Effect.provideService(readVersion, SqlClient.SqlClient, sql),
          }
        }),
      ),
    }
  }),
)

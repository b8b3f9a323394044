import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import type { FactKind, OrderState } from "../../../core/payment/Order.ts"
import { mapStorageErrors } from "../engine/storage.ts"

/** Most rows that are counted: more are as bad, and the count must not grow with them. */
export const mostCounted = 10_000

export interface Gauges {
  /** Bytes of the database; of SQLite without its write-ahead log. */
  readonly bytes: number
  /** Deliveries of webhooks that may be sent now, and those whose window has ended; at most `mostCounted`. */
  readonly due: number
  readonly dead: number
  /** Epoch milliseconds of the last backup by this program; PostgreSQL's own tools leave none. */
  readonly backupAt: number | undefined
  /** Milliseconds since the oldest call began that is not in the sums of usage; 0: all are. */
  readonly usageLagMs: number
}

/** Bytes of the database; of SQLite without its write-ahead log. */
export const databaseBytes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () =>
      sql<{ bytes: number }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    orElse: () => sql<{ bytes: number }>`SELECT pg_database_size(current_database())::float8 AS bytes`,
  }),
).pipe(Effect.map(([row]) => row!.bytes))

/** The oldest call that is not in the sums of usage. On PostgreSQL a charge adds to them. */
const unfolded = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      sql<{ at: number }>`
        SELECT at FROM audit_rows WHERE seq > (SELECT seq FROM places WHERE name = 'folded') ORDER BY seq LIMIT 1`,
    orElse: () => Effect.succeed([]),
  })

/** Figures of the store for an operator's monitoring, from ends of indexes and the headers of files. */
export const gauges: Effect.Effect<Gauges, Failure, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [found] = yield* sql<{ due: number; dead: number }>`
    SELECT
      (SELECT count(*) FROM (
        SELECT 1 FROM webhook_deliveries WHERE ended_at IS NULL AND due_at <= ${now} LIMIT ${mostCounted}) AS hits) AS due,
      (SELECT count(*) FROM (
        SELECT 1 FROM webhook_deliveries WHERE outcome = 'dead' LIMIT ${mostCounted}) AS hits) AS dead`
  const [backup] = yield* sql<{ at: number }>`SELECT at FROM heartbeats WHERE name = 'backup'`
  const [oldest] = yield* unfolded(sql)
  return {
    bytes: yield* databaseBytes,
    due: Number(found!.due),
    dead: Number(found!.dead),
    backupAt: backup?.at,
    usageLagMs: oldest === undefined ? 0 : Math.max(0, now - oldest.at),
  }
}).pipe(mapStorageErrors)

/** The newest orders that are looked at: a look stays below some milliseconds, however many payments there are. */
export const lookedAt = 2_000

export const unsettledStates = ["open", "mismatched"] as const satisfies ReadonlyArray<OrderState>

/** Orders in a state that waits for somebody. */
interface Unsettled {
  readonly count: number
  /** Epoch milliseconds; undefined: there are none. */
  readonly oldestAt: number | undefined
}

/** Orders that are open, or paid otherwise than asked for, among the newest `lookedAt`. */
export const unsettled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const has = (kind: FactKind) => sql`EXISTS (SELECT 1 FROM order_facts f WHERE f.order_id = o.id AND f.kind = ${kind})`
  const rows = yield* sql<{ paid: number; n: number; oldest: number }>`
    SELECT paid, count(*) AS n, min(created_at) AS oldest FROM (
      SELECT o.created_at, CASE WHEN ${has("paid")} THEN 1 ELSE 0 END AS paid
      FROM (SELECT * FROM orders ORDER BY id DESC LIMIT ${lookedAt}) AS o
      WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.account_id = o.account_id AND j.id = o.id)
        AND (${has("paid")} OR NOT ${has("ended")})) AS waiting
    GROUP BY paid`
  const of = (paid: number): Unsettled => {
    const row = rows.find((each) => Number(each.paid) === paid)
    return { count: Number(row?.n ?? 0), oldestAt: row && Number(row.oldest) }
  }
  return { open: of(0), mismatched: of(1) }
}).pipe(mapStorageErrors)

/** Notes when the store was last ready or backed up, and waits until that is durable, like a charge. */
export const writeHeartbeat = (name: "backup" | "ready", at: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    mapStorageErrors(
      Effect.asVoid(sql`
        INSERT INTO heartbeats (name, at) VALUES (${name}, ${at}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`),
    ),
  )

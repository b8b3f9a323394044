import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Audit } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { fail } from "../../../core/Failure.ts"
import { columns, type RowOf } from "../engine/columns.ts"

const audit = columns<Audit>()(
  [
    ...(["at", "requestId", "accountId", "agentId", "keyId", "endpoint", "paramsHash", "status", "code"] as const),
    ...(["charged", "latencyMs", "calls"] as const),
  ],
  { own: { charged: "charged_micros" } },
)
export type AuditRow = RowOf<typeof audit> & { readonly seq: number }

export const toAudit = (row: AuditRow): Audit => {
  // Refuses a charge that is not a whole number.
  MicroUsd(row.charged_micros)
  return audit.fromRow(row)
}

/** The readable months, in order. */
export const readMonths = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(sql<{ month: string }>`SELECT month FROM audit_months WHERE dropping = 0 ORDER BY month`, (rows) =>
    rows.map(({ month }) => month),
  )

/** SQL: the row's transaction is older than every open one, so that no row can still appear before it. */
const isComplete = "a.tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_shift()"

/** A page of a month, and the place after it. */
export interface Page {
  readonly rows: ReadonlyArray<AuditRow>
  /** Absent: the page is the last. */
  readonly next?: number
}

/** A month's rows after a place, in the order of writing. A place is a number from `next`; 0: before the first row. */
export const readPage = (sql: SqlClient.SqlClient, month: string, after: number, limit: number) =>
  sql.onDialectOrElse({
    sqlite: () => readPageByPlace(sql, month, after, limit),
    orElse: () => readPageByTransaction(sql, month, after, limit),
  })

const readPageByPlace = (sql: SqlClient.SqlClient, month: string, after: number, limit: number) =>
  Effect.map(
    sql<AuditRow>`
      SELECT * FROM audit WHERE seq > ${after} AND seq >= (SELECT first FROM audit_parts WHERE month = ${month})
        AND seq <= (SELECT last FROM audit_parts WHERE month = ${month}) ORDER BY seq LIMIT ${limit}`,
    (rows): Page => ({ rows, ...(rows.length < limit ? {} : { next: rows.at(-1)!.seq }) }),
  )

/**
 * A place on PostgreSQL is the transaction, counted from the month's first, times this number, plus the number of its rows that
 * come before. Our transactions write fewer rows: a batch has 256.
 */
const maxRowsOfTransaction = 2 ** 14

/** How long a page waits for open transactions that are older than rows it would have. */
const waiting = { pauseMs: 50, tries: 100 } as const

const clock = Clock.make()

/**
 * A page ends before the oldest open transaction, whose rows come first. A short page counts as the last one, so it must have
 * every row that was committed before the request: it waits for the transactions that hide such rows.
 */
const readPageByTransaction = (sql: SqlClient.SqlClient, month: string, after: number, limit: number) =>
  Effect.gen(function* () {
    const skipped = after % maxRowsOfTransaction
    const rowsRead = limit + skipped
    // One statement, so that complete and hidden rows are from one snapshot.
    const readRows = sql<AuditRow & { tx: number; first: number; complete: boolean; ahead: number }>`
      WITH first AS (SELECT tx FROM audit WHERE month = ${month} ORDER BY tx, seq LIMIT 1)
      SELECT a.*, first.tx AS first, ${sql.literal(isComplete)} AS complete,
        pg_snapshot_xmax(pg_current_snapshot())::text::bigint + audit_shift() AS ahead
      FROM audit a, first
      WHERE a.month = ${month} AND a.tx >= first.tx + ${Math.floor(after / maxRowsOfTransaction)}::bigint
      ORDER BY a.tx, a.seq LIMIT ${rowsRead}`
    /** Transactions from this one on began after the request. */
    let end: number | undefined
    for (let tries = 1; ; tries++) {
      const all = yield* readRows
      end ??= all[0]?.ahead ?? 0
      // In the order of transactions complete rows come before the others.
      const complete = all.filter((row) => row.complete)
      const rows = complete.slice(skipped)
      const last = complete.at(-1)
      const hides = all.some((row) => !row.complete && row.tx < end!)
      if (complete.length < rowsRead && !hides) return { rows }
      if (last !== undefined && rows.length > 0 && (complete.length === rowsRead || tries >= waiting.tries)) {
        const rank = complete.filter(({ tx }) => tx === last.tx).length
        if (rank >= maxRowsOfTransaction) return yield* Effect.dieMessage("A transaction has too many audit rows.")
        return { rows, next: (last.tx - last.first) * maxRowsOfTransaction + rank }
      }
      if (tries >= waiting.tries) {
        return yield* fail("storage_unavailable", {
          detail: "A transaction on the database's server is open and older than rows of this page.",
          retryAfterMs: 5_000,
        })
      }
      yield* Effect.withClock(Effect.sleep(waiting.pauseMs), clock)
    }
  })

/** An agent's rows in the order of writing; undefined if it has no row `after`. */
export const readAgentTrail = (sql: SqlClient.SqlClient, agentId: string, after: string | undefined, limit: number) =>
  Effect.map(
    sql.onDialectOrElse({
      sqlite: () => readTrailByPlace(sql, agentId, after, limit),
      orElse: () => readTrailByTransaction(sql, agentId, after, limit),
    }),
    (rows) => rows?.map(toAudit),
  )

type Trail = Effect.Effect<ReadonlyArray<AuditRow> | undefined, SqlError>

const readTrailByTransaction = (sql: SqlClient.SqlClient, agentId: string, after: string | undefined, limit: number) =>
  Effect.gen(function* () {
    const [first] =
      after === undefined
        ? [{ tx: 0, seq: 0 }]
        : yield* sql<{ tx: number; seq: number }>`
            SELECT tx, seq FROM audit WHERE agent_id = ${agentId} AND request_id = ${after} LIMIT 1`
    if (first === undefined) return undefined
    return yield* sql<AuditRow>`
      SELECT * FROM audit a WHERE agent_id = ${agentId} AND (tx, seq) > (${first.tx}::bigint, ${first.seq})
        AND ${sql.literal(isComplete)} AND month IN (SELECT month FROM audit_months WHERE dropping = 0)
      ORDER BY tx, seq LIMIT ${limit}`
  })

const readTrailByPlace = (sql: SqlClient.SqlClient, agentId: string, after: string | undefined, limit: number): Trail =>
  Effect.gen(function* () {
    const isOfAgent = sql`agent = (SELECT id FROM audit_agents WHERE agent_id = ${agentId})
      AND seq >= (SELECT seq FROM places WHERE name = 'kept')`
    const [first] =
      after === undefined
        ? [{ seq: 0 }]
        : yield* sql<{ seq: number }>`SELECT seq FROM audit_rows WHERE ${isOfAgent} AND request_id = ${after}`
    if (first === undefined) return undefined
    return yield* sql<AuditRow>`
      SELECT a.* FROM (SELECT seq FROM audit_rows WHERE ${isOfAgent} AND seq > ${first.seq} ORDER BY seq LIMIT ${limit}) r
      CROSS JOIN audit a ON a.seq = r.seq ORDER BY r.seq`
  })

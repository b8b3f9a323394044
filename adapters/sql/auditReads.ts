import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Audit } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { selectOf, tableOf } from "./schema/audit.ts"

export interface AuditRow {
  readonly seq: number
  readonly request_id: string
  readonly at: number
  readonly account_id: string
  readonly agent_id: string | null
  readonly key_id: string
  readonly endpoint: string
  readonly params_hash: string
  readonly status: number
  readonly code: string | null
  readonly charged_micros: number
  readonly latency_ms: number
  readonly calls: number
}

export const toAudit = (row: AuditRow): Audit => ({
  at: row.at,
  requestId: row.request_id,
  accountId: row.account_id,
  ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
  keyId: row.key_id,
  endpoint: row.endpoint,
  paramsHash: row.params_hash,
  status: row.status,
  ...(row.code === null ? {} : { code: row.code }),
  charged: MicroUsd(row.charged_micros),
  latencyMs: row.latency_ms,
  calls: row.calls,
})

/** The readable months, in order. */
export const monthsOf = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(sql<{ month: string }>`SELECT month FROM audit_months WHERE dropping = 0 ORDER BY month`, (rows) =>
    rows.map(({ month }) => month),
  )

/** Rows of a month after a row, in the order of writing. */
export const rowsOf = (
  sql: SqlClient.SqlClient,
  month: string,
  after: number,
  limit: number,
): Effect.Effect<ReadonlyArray<AuditRow>, SqlError> =>
  sql.onDialectOrElse({
    sqlite: () => sql.unsafe<AuditRow>(`${selectOf(month)} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`, [after, limit]),
    orElse: () => sql<AuditRow>`
      SELECT * FROM audit WHERE month = ${month} AND seq > ${after} AND ${sql.literal(isComplete)}
      ORDER BY seq LIMIT ${limit}`,
  })

/** Rows become visible in the order of commits: older than every transaction under way, none can come before them. */
const isComplete = "tx < pg_snapshot_xmin(pg_current_snapshot())"

/** An agent's rows in the order of writing, month by month; undefined if it has no row `after`. */
export const trailOf = (
  sql: SqlClient.SqlClient,
  agentId: string,
  after: string | undefined,
  limit: number,
): Effect.Effect<ReadonlyArray<Audit> | undefined, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      sqlite: () => trailByMonth(sql, agentId, after, limit),
      orElse: () => trailByTransaction(sql, agentId, after, limit),
    }),
    (rows) => rows?.map(toAudit),
  )

type Trail = Effect.Effect<ReadonlyArray<AuditRow> | undefined, SqlError>

const trailByTransaction = (
  sql: SqlClient.SqlClient,
  agentId: string,
  after: string | undefined,
  limit: number,
): Trail =>
  Effect.gen(function* () {
    const [first] =
      after === undefined
        ? [{ tx: "0", seq: 0 }]
        : yield* sql<{ tx: string; seq: number }>`
            SELECT tx, seq FROM audit WHERE agent_id = ${agentId} AND request_id = ${after} LIMIT 1`
    if (first === undefined) return undefined
    return yield* sql<AuditRow>`
      SELECT * FROM audit WHERE agent_id = ${agentId} AND (tx, seq) > (${first.tx}::xid8, ${first.seq})
        AND ${sql.literal(isComplete)} AND month IN (SELECT month FROM audit_months WHERE dropping = 0)
      ORDER BY tx, seq LIMIT ${limit}`
  })

const trailByMonth = (sql: SqlClient.SqlClient, agentId: string, after: string | undefined, limit: number): Trail =>
  Effect.gen(function* () {
    const nothing = after === undefined ? [] : undefined
    const [agent] = yield* sql<{ id: number }>`SELECT id FROM audit_agents WHERE agent_id = ${agentId}`
    if (agent === undefined) return nothing
    let months = yield* monthsOf(sql)
    let seq = 0
    if (after !== undefined) {
      let from: string | undefined
      // Newest first: a reader who continues is usually near the end.
      for (const month of [...months].reverse()) {
        const [row] = yield* sql<{ seq: number }>`
          SELECT seq FROM ${sql(tableOf(month))} WHERE agent = ${agent.id} AND request_id = ${after}`
        if (row === undefined) continue
        from = month
        seq = row.seq
        break
      }
      if (from === undefined) return nothing
      const begin = from
      months = months.filter((month) => month >= begin)
    }
    const rows: Array<AuditRow> = []
    for (const month of months) {
      const text = `${selectOf(month)} WHERE a.agent = ? AND a.seq > ? ORDER BY a.seq LIMIT ?`
      rows.push(...(yield* sql.unsafe<AuditRow>(text, [agent.id, seq, limit - rows.length])))
      if (rows.length === limit) break
      seq = 0
    }
    return rows
  })

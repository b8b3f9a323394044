import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Agent, isWarning, type Spend, type Status } from "../../core/account/Agent.ts"
import { AgentStore } from "../../core/account/Agents.ts"
import type { Audit } from "../../core/account/Ledger.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { inTransaction, orUnavailable } from "./storage.ts"

interface Row {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly status: Status
  readonly monthly_cap_micros: number | null
  readonly budget_cap_micros: number | null
  readonly created_at: number
}

interface SpendRow {
  readonly livemode: number
  readonly month: string
  readonly month_micros: number
  readonly total_micros: number
}

interface AuditRow {
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
}

const toAgent = (row: Row): Agent => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  status: row.status,
  ...(row.monthly_cap_micros === null ? {} : { monthlyCap: MicroUsd(row.monthly_cap_micros) }),
  ...(row.budget_cap_micros === null ? {} : { budgetCap: MicroUsd(row.budget_cap_micros) }),
  createdAt: row.created_at,
})

const toSpend = (row: SpendRow): Spend => ({
  livemode: row.livemode === 1,
  month: row.month,
  monthSpent: MicroUsd(row.month_micros),
  totalSpent: MicroUsd(row.total_micros),
})

const toAudit = (row: AuditRow): Audit => ({
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
})

export const layer: Layer.Layer<AgentStore, never, SqlClient.SqlClient> = Layer.effect(
  AgentStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    insert: (agent) =>
      orUnavailable(
        Effect.map(
          sql`
            INSERT INTO agents ${sql.insert({
              id: agent.id,
              account_id: agent.accountId,
              name: agent.name,
              status: agent.status,
              monthly_cap_micros: agent.monthlyCap ?? null,
              budget_cap_micros: agent.budgetCap ?? null,
              created_at: agent.createdAt,
            })} ON CONFLICT (account_id, name) DO NOTHING RETURNING id`,
          (rows) => rows.length === 1,
        ),
      ),
    find: (idOrName) =>
      orUnavailable(
        Effect.map(sql<Row>`SELECT * FROM agents WHERE id = ${idOrName} OR name = ${idOrName} LIMIT 2`, (rows) =>
          rows.length === 1 ? toAgent(rows[0]!) : undefined,
        ),
      ),
    ofAccount: (accountId) =>
      orUnavailable(
        Effect.map(sql<Row>`SELECT * FROM agents WHERE account_id = ${accountId} ORDER BY id`, (rows) =>
          rows.map(toAgent),
        ),
      ),
    setStatus: (id, status) =>
      orUnavailable(Effect.asVoid(sql`UPDATE agents SET status = ${status} WHERE id = ${id} AND status <> 'revoked'`)),
    setCaps: (id, { monthlyCap, budgetCap }) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          yield* sql`
            UPDATE agents SET monthly_cap_micros = ${monthlyCap ?? null}, budget_cap_micros = ${budgetCap ?? null}
            WHERE id = ${id}`
          const spends = yield* sql<SpendRow>`SELECT * FROM agent_spend WHERE agent_id = ${id}`
          // An event is due again once the spend is below its line of the new cap.
          for (const { livemode, month_micros: spent } of spends) {
            if (monthlyCap === undefined || !isWarning(spent, monthlyCap)) {
              yield* sql`UPDATE agent_spend SET warned = '' WHERE agent_id = ${id} AND livemode = ${livemode}`
            }
            if (monthlyCap === undefined || spent < monthlyCap) {
              yield* sql`UPDATE agent_spend SET exceeded = '' WHERE agent_id = ${id} AND livemode = ${livemode}`
            }
          }
        }),
      ),
    spend: (id) =>
      orUnavailable(
        Effect.map(
          sql<SpendRow>`
            SELECT livemode, month, month_micros, total_micros FROM agent_spend WHERE agent_id = ${id} ORDER BY livemode`,
          (rows) => rows.map(toSpend),
        ),
      ),
    audit: (id, after, limit) =>
      orUnavailable(
        Effect.map(
          sql<AuditRow>`
            SELECT * FROM audit WHERE agent_id = ${id} AND request_id > ${after} ORDER BY request_id LIMIT ${limit}`,
          (rows) => rows.map(toAudit),
        ),
      ),
  })),
)

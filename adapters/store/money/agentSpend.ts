import type { AgentMonth } from "../../../core/account/decide.ts"
import type { SpendStatus } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"

export interface AgentRow {
  readonly name: string
  readonly monthly_cap_micros: number | null
  readonly budget_cap_micros: number | null
  /** Spend in the requested month. */
  readonly month_micros: number
  readonly warned: number
  readonly exceeded: number
  readonly total_micros: number
}

const capsFromRow = (row: AgentRow) => ({
  ...(row.monthly_cap_micros === null ? {} : { monthlyCap: MicroUsd(row.monthly_cap_micros) }),
  ...(row.budget_cap_micros === null ? {} : { budgetCap: MicroUsd(row.budget_cap_micros) }),
})

/** SQL of an agent with its spend in a month and in total. The arguments are names of parameters or columns. */
export const agentQuery = (agent = ":agent", livemode = ":livemode", month = ":month"): string => `
  SELECT a.name, a.monthly_cap_micros, a.budget_cap_micros,
         coalesce(s.micros, 0) AS month_micros, coalesce(s.warned, 0) AS warned, coalesce(s.exceeded, 0) AS exceeded,
         (SELECT coalesce(SUM(micros), 0) FROM agent_spend WHERE agent_id = a.id AND livemode = ${livemode}) AS total_micros
  FROM agents a LEFT JOIN agent_spend s ON s.agent_id = a.id AND s.livemode = ${livemode} AND s.month = ${month}
  WHERE a.id = ${agent}`

export const toAgentMonth = (row: AgentRow): AgentMonth => ({
  name: row.name,
  ...capsFromRow(row),
  monthSpent: MicroUsd(row.month_micros),
  totalSpent: MicroUsd(row.total_micros),
  warned: row.warned === 1,
  exceeded: row.exceeded === 1,
})

export const toAgentStatus = (row: AgentRow | undefined): Pick<SpendStatus, "agent"> => {
  if (row === undefined) return {}
  const { warned: _, exceeded: __, ...agent } = toAgentMonth(row)
  return { agent }
}

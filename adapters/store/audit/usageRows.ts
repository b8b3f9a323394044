import { spans, type UsageGroup } from "../../../core/account/Usage.ts"
import type { Value } from "../engine/Transactions.ts"
import { tableOf } from "./months.ts"

/** The column that names the group of a row. */
export const groupColumns: Readonly<Record<UsageGroup, string>> = {
  endpoint: "endpoint",
  agent: "agent_id",
  key: "key_id",
  status: "status",
}

/** A row for each kind of group, as a part of a statement. */
export const eachKind: string = Object.keys(groupColumns)
  .map((kind) => `SELECT '${kind}' AS kind`)
  .join(" UNION ALL ")

/** A row for each span, as a part of a statement. */
export const eachSpan: string = Object.values(spans)
  .map((span) => `SELECT CAST(${span} AS BIGINT) AS span`)
  .join(" UNION ALL ")

/** The months of the trail that are not being dropped, each with the number of its rows that are folded. */
export const foldedMonths = `
  SELECT m.month, coalesce(u.folded, 0) AS folded FROM audit_months m LEFT JOIN usage_months u ON u.month = m.month
  WHERE m.dropping = 0 ORDER BY m.month`

/** The end of the rows that are folded, as parameters of a month's statements. */
export type Place = ReadonlyArray<Value>

/** Rows of the audit trail of one month, `a`, with the names of their groups. */
export const rowsSql = (dialect: "sqlite" | "postgres", month: string) =>
  dialect === "sqlite"
    ? `SELECT c.account_id, a.at, c.key_id, coalesce(c.agent_id, '') AS agent_id, e.endpoint,
        coalesce(k.environment = 'live', 0) AS livemode, (e.status / 100) || 'xx' AS status, coalesce(a.call_count, 1) AS calls,
        a.charged_micros
      FROM ${tableOf(month)} a CROSS JOIN audit_callers c ON c.id = a.caller CROSS JOIN audit_ends e ON e.id = a.ended
        LEFT JOIN api_keys k ON k.id = c.key_id`
    : `SELECT a.account_id, a.at, a.key_id, coalesce(a.agent_id, '') AS agent_id, a.endpoint,
        CASE WHEN k.environment = 'live' THEN 1 ELSE 0 END AS livemode, (a.status / 100) || 'xx' AS status, a.calls, a.charged_micros
      FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id`

export const isAfter = {
  sqlite: (_: string) => "a.seq > ?",
  postgres: (month: string) => `a.month = '${month}' AND (a.tx, a.seq) > (CAST(CAST(? AS TEXT) AS XID8), ?)`,
} as const

export const isUpTo = {
  sqlite: "a.seq <= ?",
  postgres: "(a.tx, a.seq) <= (CAST(CAST(? AS TEXT) AS XID8), ?)",
} as const

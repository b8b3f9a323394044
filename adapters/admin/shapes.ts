import * as Schema from "effect/Schema"
import * as Store from "../../core/account/AccountStore.ts"
import type * as Core from "../../core/account/Agent.ts"
import { statuses } from "../../core/account/Agent.ts"
import { environments } from "../../core/account/ApiKey.ts"
import type * as Trail from "../../core/account/AuditTrail.ts"
import type * as LedgerRow from "../../core/account/Ledger.ts"
import * as Tier from "../../core/account/Tier.ts"
import { optional } from "../../core/endpoint/Field.ts"
import { RuleAnnotation } from "../../core/endpoint/Param.ts"
import { shaped } from "../../core/endpoint/shaped.ts"
import { isDay, iso } from "../../core/time.ts"

/** Schemas of the admin API, and conversions from the core's values. */

const instantForm =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const isInstant = (text: string): boolean => isDay(instantForm.exec(text)?.[1] ?? "")

const text = Schema.String
const count = Schema.Number.pipe(Schema.int(), Schema.nonNegative())

/** Micro-dollars. */
export const micros = Schema.Number.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER))

/** An instant as ISO 8601 with its offset. */
export const instant = Schema.String.pipe(
  Schema.filter(isInstant, { jsonSchema: { format: "date-time" } }),
).annotations({ [RuleAnnotation]: "an instant such as 2027-01-31T00:00:00Z" })

export const Account = Schema.Struct({
  id: text,
  name: text,
  tier: Schema.Literal(...Tier.names),
  per_minute: count,
  created_at: text,
  suspended_at: optional(text.annotations({ description: "Since when its calls answer 403." })),
})

export const account: (of: Store.Account) => typeof Account.Type = shaped(Account)

export const Posting = Schema.Struct({
  id: text,
  at: text,
  kind: Schema.Literal("credit", "charge", "reversal"),
  micros: Schema.Number.pipe(Schema.int()),
  endpoint: optional(text),
  reverses: optional(text.annotations({ description: "The credit that a reversal takes back." })),
  provider: optional(text.annotations({ description: "The payment provider of a credit." })),
  receipt: optional(text.annotations({ description: "The provider's id of the payment." })),
})

export const posting = ({ at, ...rest }: Store.Posting): typeof Posting.Type => ({ ...rest, at: iso(at) })

export const Key = Schema.Struct({
  id: text,
  account: text,
  name: optional(text),
  environment: Schema.Literal(...environments),
  tier: Schema.Literal(...Tier.names),
  per_minute: count,
  last_four: text,
  agent: optional(text),
  scopes: optional(Schema.Array(text)),
  created_at: text,
  expires_at: optional(text),
  last_used_at: optional(text),
  revoked_at: optional(text),
})

const keyShape = shaped(Key)

export const key = (record: Store.KeyRecord): typeof Key.Type =>
  keyShape({ ...record, account: record.accountId, agent: record.agentId, expiresAt: Store.keyEndsAt(record) })

/** The only answer with the plaintext key. */
export const NewKey = Schema.Struct({ ...Key.fields, key: text })

export const Agent = Schema.Struct({
  id: text,
  account: text,
  name: text,
  status: Schema.Literal(...statuses),
  monthly_cap_micros: optional(count),
  budget_cap_micros: optional(count),
  created_at: text,
})

const agentShape = shaped(Agent)

export const agent = ({ monthlyCap, budgetCap, ...record }: Core.Agent): typeof Agent.Type =>
  agentShape({ ...record, account: record.accountId, monthlyCapMicros: monthlyCap, budgetCapMicros: budgetCap })

const Spend = Schema.Struct({ month: text, month_micros: count, total_micros: count })

/** At list price, live and test separately. */
export const Spends = Schema.Struct({ live: Spend, test: Spend })

export const spends = (all: ReadonlyArray<Core.Spend>): typeof Spends.Type => {
  const of = (mode: boolean) => {
    const { month, monthSpent, totalSpent } = all.find(({ livemode }) => livemode === mode)!
    return { month, month_micros: monthSpent, total_micros: totalSpent }
  }
  return { live: of(true), test: of(false) }
}

/** One row of the audit trail, with the same columns in every export format. */
export const AuditRow = Schema.Struct({
  at: text,
  request_id: text,
  agent_id: Schema.NullOr(text),
  key_id: text,
  endpoint: text,
  params_hash: text,
  status: count,
  code: Schema.NullOr(text),
  charged_micros: count,
  latency_ms: count,
  calls: count.annotations({
    description:
      "Number of calls in this row. Above 1: free calls of one key with the same status and code within a minute; `at` is the first one's, `request_id` the last one's, `endpoint` `*` if they differ.",
  }),
})

const withNulls = (row: LedgerRow.Audit) => ({
  ...row,
  agentId: row.agentId ?? null,
  code: row.code ?? null,
  chargedMicros: row.charged,
  calls: row.calls ?? 1,
})

const auditShape = shaped(AuditRow)

export const auditRow = (row: LedgerRow.Audit): typeof AuditRow.Type => auditShape(withNulls(row))

export const AuditExportRow = Schema.Struct({ ...AuditRow.fields, account_id: text })

const exportShape = shaped(AuditExportRow)

export const auditExportRow = (row: LedgerRow.Audit): typeof AuditExportRow.Type => exportShape(withNulls(row))

export const AuditMonth = Schema.Struct({ month: text, rows: count, exported_at: optional(text) })

export const auditMonth: (of: Trail.AuditMonth) => typeof AuditMonth.Type = shaped(AuditMonth)

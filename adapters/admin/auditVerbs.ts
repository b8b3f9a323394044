import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { optional } from "./inputs.ts"
import * as shapes from "./shapes.ts"
import * as Verb from "./Verb.ts"

const month = {
  month: Param.pattern(/^\d{4}-(0[1-9]|1[0-2])$/, "a UTC month such as 2027-01", "A UTC month, YYYY-MM."),
}

/** The audit trail of all accounts, month by month: its export, and the end of months that are over. */
export const auditVerbs = {
  auditMonths: Verb.make({
    id: "audit_months",
    path: "/admin/v1/audit",
    summary: "List the months of the audit trail, and which were exported as they are now",
    params: Schema.Struct({}),
    results: Schema.Struct({ months: Schema.Array(shapes.AuditMonth) }),
    run: () =>
      Effect.flatMap(AuditTrail, (trail) =>
        Effect.map(trail.months, (months) => ({ months: months.map(shapes.auditMonth) })),
      ),
  }),

  auditPage: Verb.make({
    id: "audit_page",
    path: "/admin/v1/audit/:month",
    summary: "Rows of a month, of all accounts, in the order in which calls ended",
    params: Schema.Struct({
      ...month,
      after: optional(Param.integer(0, Number.MAX_SAFE_INTEGER, "Only rows behind this one: `next_after` of a page.")),
      limit: optional(Param.integer(1, 1_000, "How many rows; 1000.")),
    }),
    results: Schema.Struct({ rows: Schema.Array(shapes.AuditExportRow), next_after: optional(Schema.Number) }),
    run: ({ month, after = 0, limit = 1_000 }) =>
      Effect.flatMap(AuditTrail, (trail) =>
        Effect.map(trail.page(month, after, limit), ({ rows, next }) => ({
          rows: rows.map(shapes.auditExportRow),
          ...(next === undefined ? {} : { next_after: next }),
        })),
      ),
  }),

  auditExported: Verb.make({
    id: "audit_exported",
    method: "POST",
    path: "/admin/v1/audit/:month/exported",
    summary: "Note that all rows of a month that is over are kept elsewhere",
    params: Schema.Struct({
      ...month,
      rows: Param.integer(0, Number.MAX_SAFE_INTEGER, "How many rows the export has: it must be all of them."),
    }),
    results: shapes.AuditMonth,
    run: ({ month, rows }) =>
      Effect.flatMap(AuditTrail, (trail) => Effect.map(trail.exported(month, rows), shapes.auditMonth)),
  }),

  auditDrop: Verb.make({
    id: "audit_drop",
    method: "POST",
    path: "/admin/v1/audit/:month/drop",
    summary: "Drop a month that was exported, neither this one nor the one before",
    params: Schema.Struct({
      ...month,
      force: optional(Param.boolean("Also where it was not exported: its rows are gone for good.")),
    }),
    results: shapes.AuditMonth,
    run: ({ month, force = false }) =>
      Effect.flatMap(AuditTrail, (trail) => Effect.map(trail.drop(month, force), shapes.auditMonth)),
  }),
}

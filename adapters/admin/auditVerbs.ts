import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import { optional } from "../../core/endpoint/Field.ts"
import * as Param from "../../core/endpoint/Param.ts"
import * as AdminOperation from "./AdminOperation.ts"
import * as shapes from "./shapes.ts"

const trail = Effect.serviceFunctions(AuditTrail)

const month = {
  month: Param.pattern(/^\d{4}-(0[1-9]|1[0-2])$/, "a UTC month such as 2027-01", "A UTC month, YYYY-MM."),
}

/** The audit trail of all accounts by month: its export, and the removal of exported months. */
export const auditVerbs = {
  auditMonths: AdminOperation.make("audit_months", "GET audit", {
    summary: "List the months of the audit trail, and which exports are complete",
    params: Schema.Struct({}),
    results: Schema.Struct({ months: Schema.Array(shapes.AuditMonth) }),
    run: () =>
      Effect.flatMap(AuditTrail, ({ months }) => Effect.map(months, (all) => ({ months: all.map(shapes.auditMonth) }))),
  }),

  auditPage: AdminOperation.make("audit_page", "GET audit/:month", {
    summary: "List a month's calls of all accounts, oldest first, by end time",
    params: Schema.Struct({
      ...month,
      after: optional(Param.integer(0, Number.MAX_SAFE_INTEGER, "Only rows after this one: `next_after` of a page.")),
      limit: optional(Param.integer(1, 1_000, "Number of rows (default 1000).")),
    }),
    results: Schema.Struct({ rows: Schema.Array(shapes.AuditExportRow), next_after: optional(Schema.Number) }),
    run: ({ month, after = 0, limit = 1_000 }) =>
      Effect.map(trail.page(month, after, limit), ({ rows, next }) => ({
        rows: rows.map(shapes.auditExportRow),
        ...(next === undefined ? {} : { next_after: next }),
      })),
  }),

  auditExported: AdminOperation.make("audit_exported", "POST audit/:month/exported", {
    summary: "Mark a past month as exported",
    params: Schema.Struct({
      ...month,
      rows: Param.integer(0, Number.MAX_SAFE_INTEGER, "Number of exported rows: it must be all of the month's."),
    }),
    results: shapes.AuditMonth,
    run: ({ month, rows }) => Effect.map(trail.exported(month, rows), shapes.auditMonth),
  }),

  auditDrop: AdminOperation.make("audit_drop", "POST audit/:month/drop", {
    summary: "Delete an exported month, except this one and the one before",
    params: Schema.Struct({
      ...month,
      force: optional(Param.boolean("Delete the month although it was not exported.")),
    }),
    results: shapes.AuditMonth,
    run: ({ month, force = false }) => Effect.map(trail.drop(month, force), shapes.auditMonth),
  }),
}

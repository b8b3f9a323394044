import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import * as AdminOperation from "./AdminOperation.ts"
import * as shapes from "./shapes.ts"

const trail = Effect.serviceFunctions(AuditTrail)

const month = {
  month: Param.pattern(/^\d{4}-(0[1-9]|1[0-2])$/, "a UTC month such as 2027-01", "A UTC month, YYYY-MM."),
}

/** Verbs for the audit trail of all accounts by month: export, and removal of exported months. */
export const auditVerbs = {
  auditMonths: AdminOperation.make("audit_months", "GET audit", {
    summary: "List the months of the audit trail, and which were exported",
    params: Schema.Struct({}),
    results: Schema.Struct({ months: Schema.Array(shapes.AuditMonth) }),
    run: () =>
      Effect.flatMap(AuditTrail, ({ months }) => Effect.map(months, (all) => ({ months: all.map(shapes.auditMonth) }))),
  }),

  auditPage: AdminOperation.make("audit_page", "GET audit/:month", {
    summary: "List a month's calls of all accounts, in the order in which they ended",
    params: Schema.Struct({
      ...month,
      after: Param.optional(Param.integer(0, Number.MAX_SAFE_INTEGER, "`next_after` of the previous page.")),
      limit: Param.optional(Param.integer(1, 1_000, "Number of rows (default 1000).")),
    }),
    results: Schema.Struct({ rows: Schema.Array(shapes.AuditExportRow), next_after: Param.optional(Schema.Number) }),
    run: ({ month, after = 0, limit = 1_000 }) =>
      Effect.map(trail.page(month, after, limit), ({ rows, next }) => ({
        rows: rows.map(shapes.auditExportRow),
        ...ifDefined("next_after", next),
      })),
  }),

  auditExported: AdminOperation.make("audit_exported", "POST audit/:month/exported", {
    summary: "Mark a past month as exported",
    params: Schema.Struct({
      ...month,
      rows: Param.integer(
        0,
        Number.MAX_SAFE_INTEGER,
        "Number of exported rows; it must equal the month's number of rows.",
      ),
    }),
    results: shapes.AuditMonth,
    run: ({ month, rows }) => Effect.map(trail.markExported(month, rows), shapes.auditMonth),
  }),

  auditDrop: AdminOperation.make("audit_drop", "POST audit/:month/drop", {
    summary:
      "Delete the oldest month, which must have been exported unless forced; this month and the last one are kept",
    params: Schema.Struct({
      ...month,
      force: Param.optional(Param.boolean("Delete the month even if it was not exported.")),
    }),
    results: shapes.AuditMonth,
    run: ({ month, force = false }) => Effect.map(trail.drop(month, force), shapes.auditMonth),
  }),
}

import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { auditVerbs } from "../../adapters/admin/auditVerbs.ts"
import * as shapes from "../../adapters/admin/shapes.ts"
import { monthOf } from "../../core/account/Agent.ts"
import * as Csv from "../../core/csv/write.ts"
import { type Ask, makeAsk } from "./ask.ts"
import { command } from "./command.ts"
import { choice, optional, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable, table } from "./shared.ts"

type Row = typeof shapes.AuditRow.Type

/** The two machine-readable formats of rows, with the columns of a shape. */
const lineFormats = <A>({ fields }: { readonly fields: Readonly<Record<keyof A & string, unknown>> }) => {
  const columns = Struct.keys(fields)
  return {
    ndjson: { head: [], line: (row: A) => JSON.stringify(row) },
    csv: { head: [Csv.toLine(columns)], line: (row: A) => Csv.toLine(columns.map((column) => row[column])) },
  }
}

const { ndjson, csv } = lineFormats<Row>(shapes.AuditRow)

/** Formats of audit rows, one row per line. */
export const rowFormats = {
  ndjson: (rows: ReadonlyArray<Row>) => rows.map(ndjson.line).join("\n"),
  csv: (rows: ReadonlyArray<Row>) => [...csv.head, ...rows.map(csv.line)].join("\n"),
  table: (rows: ReadonlyArray<Row>) =>
    table(
      rows.map(({ at, request_id, endpoint, status, code, charged_micros, latency_ms, calls }) => [
        at,
        request_id,
        endpoint,
        String(status),
        code ?? "ok",
        `${charged_micros} micros`,
        `${latency_ms} ms`,
        calls === 1 ? "" : `${calls} calls`,
      ]),
    ),
}

type ExportRow = typeof shapes.AuditExportRow.Type

const exportFormats = lineFormats<ExportRow>(shapes.AuditExportRow)

type Month = typeof shapes.AuditMonth.Type

const monthCells = ({ month, rows, exported_at }: Month): ReadonlyArray<string> => [
  month,
  `${rows} rows`,
  exported_at === undefined ? "not exported" : `exported ${exported_at}`,
]

/**
 * Writes a month page by page to a new file and syncs it to disk.
 *
 * @returns the number of rows
 */
const writeExport = (ask: Ask, path: string, monthName: string, format: "ndjson" | "csv") =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* (yield* FileSystem.FileSystem).open(path, { flag: "wx", mode: 0o600 })
      const { head, line } = exportFormats[format]
      const writeLines = (lines: ReadonlyArray<string>) =>
        lines.length === 0 ? Effect.void : file.writeAll(new TextEncoder().encode(`${lines.join("\n")}\n`))
      yield* writeLines(head)
      let rows = 0
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page: { readonly rows: ReadonlyArray<ExportRow>; readonly next_after?: number } = yield* readable(
          ask.verb(auditVerbs.auditPage, { month: monthName, after }),
        )
        yield* writeLines(page.rows.map(line))
        rows += page.rows.length
        after = page.next_after
      }
      yield* file.sync
      return rows
    }),
  )

const exportCommand = make(
  "export",
  "Export a month of the audit trail to a file. A complete month can then be dropped.",
  {
    month: text("month", "A UTC month, YYYY-MM."),
    out: text("out", "New file to write; it must not exist."),
    format: optional(choice("format", ["ndjson", "csv"], "Format of the rows (default: ndjson).")),
    json,
  },
  ({ month: name, out, format = "ndjson", json: asJson }) =>
    Effect.gen(function* () {
      const ask = yield* makeAsk("audit export")
      const rows = yield* writeExport(ask, out, name, format)
      // Only a complete month is marked as exported.
      const isComplete = name < monthOf(yield* Clock.currentTimeMillis)
      if (isComplete) yield* readable(ask.verb(auditVerbs.auditExported, { month: name, rows }))
      yield* print(
        asJson,
        { month: name, rows, file: out, whole: isComplete },
        `${rows} rows in ${out}${isComplete ? "" : "; the month is not complete"}`,
      )
    }).pipe(Effect.scoped),
)

export const audit = family("audit", "The audit trail of all accounts, by month.", [
  command("months", auditVerbs.auditMonths, ({ months }) => table(months.map(monthCells))),
  exportCommand,
  command("drop", auditVerbs.auditDrop, ({ month, rows }) => `dropped ${month}: ${rows} rows`),
])

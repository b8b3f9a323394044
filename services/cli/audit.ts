import type * as shapes from "../../adapters/admin/shapes.ts"
import * as Csv from "../../core/csv/write.ts"
import { table } from "./shared.ts"

type Row = typeof shapes.AuditRow.Type

const columns = [
  "at",
  "request_id",
  "agent_id",
  "key_id",
  "endpoint",
  "params_hash",
  "status",
  "code",
  "charged_micros",
  "latency_ms",
  "calls",
] as const satisfies ReadonlyArray<keyof Row>

/** Formats of audit rows, one row per line. */
export const forms = {
  ndjson: (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).join("\n"),
  csv: (rows: ReadonlyArray<Row>) =>
    [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(Csv.line).join("\n"),
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

const exported = [...columns, "account_id"] as const satisfies ReadonlyArray<keyof ExportRow>

/** Formats of a month's export, page by page. */
export const exportForms = {
  ndjson: {
    head: "",
    lines: (rows: ReadonlyArray<ExportRow>) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  },
  csv: {
    head: `${exported.join(",")}\n`,
    lines: (rows: ReadonlyArray<ExportRow>) =>
      rows.map((row) => `${Csv.line(exported.map((column) => row[column]))}\n`).join(""),
  },
}

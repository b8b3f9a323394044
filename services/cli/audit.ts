import type * as shapes from "../../adapters/admin/shapes.ts"
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

/** RFC 4180: what holds a comma, a quote or a line break stands in quotes. */
export const cell = (value: string | number | null): string => {
  const text = value === null ? "" : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The forms in which audit rows leave, as lines below each other. */
export const forms = {
  ndjson: (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).join("\n"),
  csv: (rows: ReadonlyArray<Row>) =>
    [columns, ...rows.map((row) => columns.map((column) => row[column]))]
      .map((values) => values.map(cell).join(","))
      .join("\n"),
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

/** The forms in which a month leaves, page by page. */
export const exportForms = {
  ndjson: {
    head: "",
    lines: (rows: ReadonlyArray<ExportRow>) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  },
  csv: {
    head: `${exported.join(",")}\n`,
    lines: (rows: ReadonlyArray<ExportRow>) =>
      rows.map((row) => `${exported.map((column) => cell(row[column])).join(",")}\n`).join(""),
  },
}

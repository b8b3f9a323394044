import type { Audit } from "../../../core/account/Ledger.ts"
import * as Csv from "../../../core/csv/write.ts"
import { iso } from "../../../core/time.ts"
import type { Names } from "./names.ts"

/** A row of a file, in the words of the API; names of today. */
export const exported = (row: Audit, names: Names) => ({
  at: iso(row.at),
  request_id: row.requestId,
  endpoint: row.endpoint,
  key_id: row.keyId,
  key: names.keys.get(row.keyId) ?? null,
  agent_id: row.agentId ?? null,
  agent: row.agentId === undefined ? null : (names.agents.get(row.agentId) ?? null),
  status: row.status,
  code: row.code ?? null,
  calls: row.calls ?? 1,
  charged_micros: row.charged,
  latency_ms: row.latencyMs,
})

type Exported = ReturnType<typeof exported>

const columns: ReadonlyArray<keyof Exported> = [
  ...(["at", "request_id", "endpoint", "key_id", "key", "agent_id", "agent", "status", "code", "calls"] as const),
  ...(["charged_micros", "latency_ms"] as const),
]

/** How the calls of a file are written. */
export interface Form {
  readonly type: string
  readonly head: string
  readonly line: (row: Exported) => string
}

export const forms = {
  csv: {
    type: "text/csv; charset=utf-8; header=present",
    head: `${Csv.toLine(columns)}\r\n`,
    line: (row) =>
      `${Csv.toLine(columns.map((column) => (typeof row[column] === "string" ? Csv.escapeFormula(row[column]) : row[column])))}\r\n`,
  },
  ndjson: {
    type: "application/x-ndjson; charset=utf-8",
    head: "",
    line: (row) => `${JSON.stringify(row)}\n`,
  },
} as const satisfies Record<string, Form>

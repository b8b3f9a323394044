import * as Rows from "../../../core/gateway/rows.ts"
import { settled } from "../../../core/lanes/markets/endpoints.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"

const paths = [["domain"], ...Rows.columnPaths(settled)]

/** A file format of settled rows. */
export interface Written {
  /** The value of `Content-Type`. */
  readonly type: string
  readonly head: string
  readonly row: (row: object) => string
  readonly between: string
  readonly tail: string
}

export const forms = {
  csv: {
    type: "text/csv; charset=utf-8; header=present",
    head: Rows.headerLine(paths),
    row: (row) => Rows.rowLine(paths, row),
    between: "",
    tail: "",
  },
  ndjson: {
    type: "application/x-ndjson; charset=utf-8",
    head: "",
    row: (row) => `${JSON.stringify(row)}\n`,
    between: "",
    tail: "",
  },
  json: {
    type: "application/json; charset=utf-8",
    head: `{"methodology":${JSON.stringify(methodology)},"rows":[\n`,
    row: (row) => JSON.stringify(row),
    between: ",\n",
    tail: "\n]}\n",
  },
} as const satisfies Record<string, Written>

export type Form = keyof typeof forms

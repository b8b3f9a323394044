import * as Rows from "../../../core/gateway/rows.ts"
import { settled } from "../../../core/lanes/markets/endpoints.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"

export const columns: ReadonlyArray<Rows.Column> = Rows.endpointColumns(settled)
const paths = columns.map(({ path }) => path)

/** A file format of settled rows, in text. */
export interface Written {
  readonly head: string
  readonly row: (row: object) => string
  readonly between: string
  readonly tail: string
}

const texts = {
  csv: { head: Rows.headerLine(paths), row: (row) => Rows.rowLine(paths, row), between: "", tail: "" },
  ndjson: {
    head: "",
    row: (row) => `${JSON.stringify(row)}\n`,
    between: "",
    tail: "",
  },
  json: {
    head: `{"methodology":${JSON.stringify(methodology)},"rows":[\n`,
    row: (row) => JSON.stringify(row),
    between: ",\n",
    tail: "\n]}\n",
  },
} as const satisfies Record<string, Written>

/** How rows become text; undefined for a form that is none. */
export const textOf = (form: Form): Written | undefined => (form === "parquet" ? undefined : texts[form])

/** Content types of the forms. */
export const types = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const

export type Form = keyof typeof types
export const forms = Object.keys(types) as ReadonlyArray<Form>

import * as Csv from "../csv/write.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Shape from "../endpoint/Shape.ts"
import { perObject } from "../perObject.ts"
import type { Format } from "./Call.ts"

/** A column of rows: the path of a field, and the shape of its values. */
export interface Column {
  readonly path: ReadonlyArray<string>
  readonly shape: Shape.Shape
}

/** The columns of a row: its fields in schema order, nested fields as paths. */
const listColumns = (shape: Shape.Shape, path: ReadonlyArray<string>): ReadonlyArray<Column> =>
  shape.kind === "record" && shape.each === undefined
    ? shape.fields.flatMap((field) => listColumns(field.shape, [...path, field.name]))
    : [{ path, shape }]

const rowShape = ({ results, rows }: Endpoint.Any): Shape.Shape => {
  const list = Shape.fieldsOf(results).find(({ name }) => name === rows)!.shape
  return (list as Extract<Shape.Shape, { readonly kind: "list" }>).item
}

export const valueAt = (row: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    row,
  )

export const endpointColumns = (endpoint: Endpoint.Any): ReadonlyArray<Column> => listColumns(rowShape(endpoint), [])

/** The columns of an endpoint's CSV, each the path of a field. */
export const columnPaths: (endpoint: Endpoint.Any) => ReadonlyArray<ReadonlyArray<string>> = perObject((endpoint) =>
  endpointColumns(endpoint).map(({ path }) => path),
)

export const headerLine = (paths: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${Csv.toLine(paths.map((path) => path.join(".")))}\r\n`

export const rowLine = (paths: ReadonlyArray<ReadonlyArray<string>>, row: unknown): string =>
  `${Csv.toLine(paths.map((path) => valueAt(row, path)))}\r\n`

/** Text of a list, one piece per row: NDJSON, or CSV with a header line and the columns that any row has. */
export function* listText(
  endpoint: Endpoint.Any,
  rows: ReadonlyArray<unknown>,
  format: Exclude<Format, "json">,
): Generator<string> {
  if (format === "ndjson") {
    for (const row of rows) yield `${JSON.stringify(row)}\n`
    return
  }
  const all = columnPaths(endpoint)
  // Only columns with a value; all columns for an empty list.
  const columns = rows.length === 0 ? all : all.filter((path) => rows.some((row) => valueAt(row, path) !== undefined))
  yield headerLine(columns)
  for (const row of rows) yield rowLine(columns, row)
}

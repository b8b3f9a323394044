import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Csv from "../csv/write.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { Format } from "./Call.ts"

/** The columns of a row: its fields in schema order, nested fields as dotted paths. */
const columnsOf = (ast: AST.AST, prefix = ""): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "Refinement":
      return columnsOf(ast.from, prefix)
    case "TypeLiteral":
      return ast.indexSignatures.length > 0
        ? [prefix]
        : ast.propertySignatures.flatMap(({ name, type }) =>
            columnsOf(type, prefix === "" ? String(name) : `${prefix}.${String(name)}`),
          )
    default:
      return [prefix]
  }
}

/** The schema of one row of a list. */
const rowAst = (endpoint: Endpoint.Any): AST.AST => {
  const results = AST.encodedBoundAST((endpoint.results as Schema.Schema.AnyNoContext).ast)
  const list = AST.getPropertySignatures(results).find(({ name }) => name === endpoint.rows)!.type
  return (list as AST.TupleType).rest[0]!.type
}

const at = (row: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    row,
  )

/** Cached columns of an endpoint's CSV, each the path of a field. */
const columns = new WeakMap<Endpoint.Any, ReadonlyArray<ReadonlyArray<string>>>()

export const pathsOf = (endpoint: Endpoint.Any): ReadonlyArray<ReadonlyArray<string>> => {
  const known = columns.get(endpoint)
  if (known !== undefined) return known
  const paths = columnsOf(rowAst(endpoint)).map((column) => column.split("."))
  columns.set(endpoint, paths)
  return paths
}

/** The header line of a CSV. */
export const namesOf = (paths: ReadonlyArray<ReadonlyArray<string>>): string =>
  `${Csv.line(paths.map((path) => path.join(".")))}\r\n`

/** A row as a line of CSV. */
export const lineOf = (paths: ReadonlyArray<ReadonlyArray<string>>, row: unknown): string =>
  `${Csv.line(paths.map((path) => at(row, path)))}\r\n`

/** Text of a list, one piece per row: NDJSON, or CSV with a header line and the columns that any row has. */
export function* textOf(
  endpoint: Endpoint.Any,
  rows: ReadonlyArray<unknown>,
  format: Exclude<Format, "json">,
): Generator<string> {
  if (format === "ndjson") {
    for (const row of rows) yield `${JSON.stringify(row)}\n`
    return
  }
  const all = pathsOf(endpoint)
  // Only columns with a value; all columns for an empty list.
  const kept = rows.length === 0 ? all : all.filter((path) => rows.some((row) => at(row, path) !== undefined))
  yield namesOf(kept)
  for (const row of rows) yield lineOf(kept, row)
}

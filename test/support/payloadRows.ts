import { parse } from "csv-parse/sync"
import { toLine } from "../../core/csv/write.ts"

/** A row of a recorded payload; a field of JSON may lie deeper, `a.b`. */
export type Row = Record<string, unknown>

/** A payload as rows that can be changed in place. */
export interface Rows {
  readonly rows: Array<Row>
  /** The payload with the rows as they are now. */
  readonly text: () => string
}

/** How the rows of a payload are read. */
export type Format = (text: string) => Rows

/** A file with a header line. */
export const csv: Format = (text) => {
  const [header, ...records] = parse(text, { bom: true, relax_column_count: true }) as Array<Array<string>>
  const rows = records.map((cells): Row => Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? ""])))
  return {
    rows,
    text: () => {
      const names = rows.length === 0 ? header! : Object.keys(rows[0]!)
      return `${[toLine(names), ...rows.map((row) => toLine(names.map((name) => row[name])))].join("\n")}\n`
    },
  }
}

/** The array of rows that `pick` finds in a value; a row may itself be an array, whose fields are `0`, `1` and so on. */
export const jsonRows =
  // biome-ignore lint/suspicious/noExplicitAny: whatever an upstream sends
    (pick: (value: any) => Array<any>): Format =>
    (text) => {
      const value: unknown = JSON.parse(text)
      return { rows: pick(value), text: () => JSON.stringify(value) }
    }

const parentOf = (row: Row, path: string): readonly [Row | undefined, string] => {
  const names = path.split(".")
  const parent = names.slice(0, -1).reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)
  return [typeof parent === "object" && parent !== null ? (parent as Row) : undefined, names.at(-1)!]
}

export const field = (row: Row, path: string): unknown => {
  const [parent, name] = parentOf(row, path)
  return parent?.[name]
}

export const setField = (row: Row, path: string, value: unknown): void => {
  const [parent, name] = parentOf(row, path)
  if (parent !== undefined) parent[name] = value
}

/** The field under another name, in its place. */
export const renameField = (row: Row, path: string, to: string): void => {
  const [parent, name] = parentOf(row, path)
  if (parent === undefined || !(name in parent)) return
  const entries = Object.entries(parent)
  for (const [key] of entries) delete parent[key]
  for (const [key, value] of entries) parent[key === name ? to : key] = value
}

export const dropField = (row: Row, path: string): void => {
  const [parent, name] = parentOf(row, path)
  if (parent !== undefined) delete parent[name]
}

import { type ColumnSource, fileWriter, ParquetWriter } from "hyparquet-writer"
import { schemaFromColumnData } from "hyparquet-writer/src/schema.js"
import type * as Shape from "../../../core/endpoint/Shape.ts"
import { type Column, valueAt } from "../../../core/gateway/rows.ts"

/** Rows of one group: a reader loads one at a time, and the writer keeps one in memory. */
const groupRows = 10_000

interface Typed {
  readonly type: NonNullable<ColumnSource["type"]>
  readonly read: (value: unknown) => unknown
}

const same = (value: unknown): unknown => value

/** How a value of a shape is stored. Lists and all other shapes are JSON. */
const typeOf = ({ kind, bounds }: Shape.Shape): Typed => {
  switch (kind) {
    case "number":
      return { type: "DOUBLE", read: same }
    case "flag":
      return { type: "BOOLEAN", read: same }
    case "text":
      return bounds.format === "date-time"
        ? { type: "TIMESTAMP", read: (value) => new Date(value as string) }
        : { type: "STRING", read: same }
    case "choice":
      return { type: "STRING", read: String }
    default:
      return { type: "JSON", read: same }
  }
}

export interface TableWriter {
  readonly write: (rows: ReadonlyArray<object>) => Promise<void>
  readonly finish: () => Promise<void>
}

/** Writes rows to a file of Apache Parquet, group by group; a field that a row does not have is null. */
export const parquetFile = (file: string, columns: ReadonlyArray<Column>): TableWriter => {
  const typed = columns.map(({ path, shape }) => ({ name: path.join("."), path, ...typeOf(shape) }))
  const dataOf = (rows: ReadonlyArray<object>): Array<ColumnSource> =>
    typed.map(({ name, path, type, read }) => ({
      name,
      type,
      nullable: true,
      data: rows.map((row) => {
        const value = valueAt(row, path)
        return value === undefined || value === null ? null : read(value)
      }),
    }))
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: dataOf([]) }),
    createdBy: "market-signals",
  })
  let waiting: Array<object> = []
  const flush = async (rows: ReadonlyArray<object>): Promise<void> => {
    if (rows.length > 0) await writer.write({ columnData: dataOf(rows), rowGroupSize: groupRows })
  }
  return {
    write: async (rows) => {
      waiting.push(...rows)
      if (waiting.length < groupRows) return
      const group = waiting
      waiting = []
      await flush(group)
    },
    finish: async () => {
      await flush(waiting)
      await writer.finish()
    },
  }
}

import { readFileSync } from "node:fs"
import { parse } from "csv-parse/sync"
import { digestOf, uncompressed } from "../lanes/files.ts"

/** A file's rows and its identity. */
export interface Input<Row> {
  readonly rows: ReadonlyArray<Row>
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
}

/** A temperature observation of an airport. */
export interface ReadingRow {
  readonly airport: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly tempF: number
}

/** One daily high of a GHCN-Daily station. */
export interface DailyRow {
  readonly station: string
  readonly day: string
  readonly tempF: number
}

const day = /^\d{4}-\d{2}-\d{2}$/

/**
 * @throws Error with the first row that `read` rejects
 */
const rowsOf = <Row>(
  path: string,
  read: (row: Readonly<Record<string, string>>) => Row | undefined,
  columns: true | Array<string> = true,
): Input<Row> => {
  const bytes = readFileSync(path)
  const text = uncompressed(bytes)
  const records = parse<Record<string, string>>(text, { columns, skip_empty_lines: true, bom: true })
  const rows = records.map((record, at) => {
    const row = read(record)
    if (row === undefined) throw new Error(`Row ${at + 1}: ${JSON.stringify(record)} is not a row of this file.`)
    return row
  })
  return { rows, sha256: digestOf(bytes) }
}

const numberOf = (text: string | undefined): number =>
  text === undefined || text.trim() === "" ? Number.NaN : Number(text)

const complete = <Row extends object>(row: Row): Row | undefined =>
  Object.values(row).some((value) => value === undefined || Number.isNaN(value)) ? undefined : row

/** `origin,…,temp,…,time_hour` of nycflights13; hours without a temperature are dropped. */
export const readHourly = (path: string): Input<ReadingRow> => {
  const { rows, sha256 } = rowsOf(path, (row) => {
    const at = Date.parse(row["time_hour"] ?? "")
    if (row["origin"] === undefined || Number.isNaN(at)) return undefined
    return { airport: row["origin"], at, tempF: row["temp"] === "NA" ? Number.NaN : numberOf(row["temp"]) }
  })
  return { rows: rows.filter((row) => complete(row) !== undefined), sha256 }
}

const dailyColumns = ["ghcn_station", "date", "tmax_f"]

/** Station, day and high, in that order; the header may be anywhere, as in a sorted file. */
export const readDaily = (path: string): Input<DailyRow> => {
  const { rows, sha256 } = rowsOf(
    path,
    (row): DailyRow | "titles" | undefined => {
      const { ghcn_station: station, date, tmax_f: high } = row
      if (station === dailyColumns[0]) return "titles"
      return station === undefined || !day.test(date ?? "")
        ? undefined
        : complete({ station, day: date!, tempF: numberOf(high) })
    },
    dailyColumns,
  )
  return { rows: rows.filter((row) => row !== "titles"), sha256 }
}

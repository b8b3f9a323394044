import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { gunzipSync } from "node:zlib"
import { type Options, parse } from "csv-parse/sync"

/** A CSV file with its identity in an artefact. */
export interface CsvFile<Row> {
  readonly name: string
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
  readonly rows: ReadonlyArray<Row>
}

/** Reads a file, plain or gzip. Rows are objects by header name, or lists if `columns` is false. */
export const readCsv = <Row>(path: string, options: Options = { columns: true }): CsvFile<Row> => {
  const bytes = readFileSync(path)
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return {
    name: basename(path),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    rows: parse(isGzip ? gunzipSync(bytes) : bytes, { skip_empty_lines: true, bom: true, ...options }) as Array<Row>,
  }
}

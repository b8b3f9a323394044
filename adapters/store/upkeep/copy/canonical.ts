import { createHash } from "node:crypto"
import type { Value } from "../../engine/Transactions.ts"
import type { Kind, Table } from "./catalogue.ts"

/** Values in the order of the table's columns. */
export type Row = ReadonlyArray<Value>

/** Why a value cannot be copied. */
const findFault = (kind: Kind, value: Value, mayHaveNul: boolean): string | undefined => {
  if (value === null) return undefined
  switch (kind) {
    case "whole":
      return Number.isSafeInteger(value) ? undefined : "is not a whole number below 2^53"
    case "real":
      return Number.isFinite(value) ? undefined : "is not a finite number"
    case "text":
      if (typeof value !== "string") return "is not a text"
      return mayHaveNul || !value.includes("\0") ? undefined : "has a NUL character, which PostgreSQL cannot store"
    case "bytes":
      return value instanceof Uint8Array ? undefined : "is not bytes"
    case "whole or text":
      return findFault(typeof value === "number" ? "whole" : "text", value, mayHaveNul)
    case "unknown":
      return "has a type that is not copied"
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")

const cellOf = (value: Value): string | number | null => (value instanceof Uint8Array ? hex(value) : value)

/** The values of a row's key, for people. */
export const keyOf = ({ columns, key }: Table, row: Row): string =>
  key.map((name) => cellOf(row[columns.findIndex((column) => column.name === name)]!)).join("/")

export interface CanonicalOptions {
  /** Whether both stores take NUL characters in texts. */
  readonly mayHaveNul: boolean
}

/**
 * A row as one line that is the same in every store: a JSON array in the order of the columns, bytes in hex, numbers in the
 * fewest digits that give the same double. The column decides the kind, so that no two rows have the same line. Zero has no
 * sign: SQLite does not store it.
 *
 * @throws a value that one of the stores cannot hold, by table, key and column
 */
export const lineOf = (table: Table, row: Row, { mayHaveNul }: CanonicalOptions): string => {
  const { columns } = table
  // Millions of rows: no iterator, and no second array where none is needed.
  for (let at = 0; at < columns.length; at++) {
    const fault = findFault(columns[at]!.kind, row[at]!, mayHaveNul)
    if (fault !== undefined) {
      throw new RangeError(`${table.name}, row ${keyOf(table, row)}: ${columns[at]!.name} ${fault}`)
    }
  }
  return `${JSON.stringify(columns.some(({ kind }) => kind === "bytes") ? row.map(cellOf) : row)}\n`
}

export interface Digest {
  readonly rows: number
  /** SHA-256 over the lines of all rows in the order of their keys, hex. */
  readonly sha256: string
}

/** Digests a table whose rows come in pages. */
export const digesting = (table: Table, options: CanonicalOptions) => {
  const hash = createHash("sha256")
  let count = 0
  return {
    /** @throws as `lineOf` */
    add: (rows: ReadonlyArray<Row>): void => {
      hash.update(rows.map((row) => lineOf(table, row, options)).join(""))
      count += rows.length
    },
    end: (): Digest => ({ rows: count, sha256: hash.digest("hex") }),
  }
}

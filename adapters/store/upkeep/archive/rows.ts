import { createHash } from "node:crypto"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { StoreError } from "../../engine/opening.ts"
import type { Value } from "../../engine/Transactions.ts"
import { type Opened, refuse } from "./Opened.ts"
import type { Row, Table, Type } from "./tables.ts"

/** Values that a column of each type must not have in an archive, and the reason. */
const refusals: Readonly<Record<Type, readonly [isRefused: (value: Value) => boolean, why: string]>> = {
  bigint: [(value) => !Number.isSafeInteger(value), "is not a whole number below 2^53"],
  "double precision": [(value) => !Number.isFinite(value), "is not a finite number"],
  text: [(value) => typeof value !== "string", "is not a text"],
  bytea: [(value) => !(value instanceof Uint8Array), "is not bytes"],
}

const toHex = (value: Value): string | number | null =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex") : value

const hasBytes = ({ types }: Table): boolean => types.includes("bytea")

/**
 * Encodes a row as one line that is the same on both engines: a JSON array in the order of the columns, bytes in hex, numbers
 * in the fewest digits that give the same double. The column determines the type, so that different rows have different lines.
 * Zero has no sign, since SQLite does not store it.
 *
 * @throws a value that is not of the column's type, by table, key and column
 */
export const encode = (table: Table, row: Row): string => {
  const { name, columns, types } = table
  // For millions of rows: no iterator, and no second array unless it is needed.
  for (let index = 0; index < types.length; index++) {
    const [value, [isRefused, why]] = [row[index]!, refusals[types[index]!]]
    if (value !== null && isRefused(value)) {
      const key = table.key.map((column) => toHex(row[columns.indexOf(column)]!)).join("/")
      throw new RangeError(`${name}, row ${key}: ${columns[index]} ${why}.`)
    }
  }
  return `${JSON.stringify(hasBytes(table) ? row.map(toHex) : row)}\n`
}

export type StoredRow = ReadonlyArray<string | number | null>

export const decode = (table: Table, row: StoredRow): Row =>
  hasBytes(table)
    ? row.map((value, index) =>
        value !== null && table.types[index] === "bytea" ? Buffer.from(String(value), "hex") : value,
      )
    : row

export type Put = (rows: ReadonlyArray<Row>) => Effect.Effect<void, SqlError | StoreError>

export interface Digest {
  readonly name: string
  readonly rows: number
  /** SHA-256 over the lines of all rows in their order, hex. */
  readonly sha256: string
}

/**
 * Reads all rows of a store and digests them. A row that an archive cannot hold is refused.
 *
 * @param write gets the lines of each table, and then a line with its digest
 */
export const readTables = <E = never>(
  { pages }: Opened,
  tables: ReadonlyArray<Table>,
  write: (lines: string) => Effect.Effect<void, E> = () => Effect.void,
): Effect.Effect<ReadonlyArray<Digest>, E | SqlError | StoreError> =>
  Effect.forEach(tables, (table) =>
    Effect.gen(function* () {
      const hash = createHash("sha256")
      let rows = 0
      const take = (page: ReadonlyArray<Row>) =>
        Effect.gen(function* () {
          const lines = yield* Effect.catchAll(
            Effect.try(() => page.map((row) => encode(table, row)).join("")),
            ({ error }) => refuse((error as Error).message),
          )
          hash.update(lines)
          rows += page.length
          yield* write(lines)
        })
      for (const query of table.queries) yield* pages(query, take)
      const digest = { name: table.name, rows, sha256: hash.digest("hex") }
      yield* write(`${JSON.stringify(digest)}\n`)
      return digest
    }),
  )

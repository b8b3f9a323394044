import * as Either from "effect/Either"
import type { FileCheck } from "./consistency.ts"
import type { Row, RowError } from "./row.ts"

/** A required column: its name, or all its names if it was renamed. */
export type Column = string | readonly [string, ...ReadonlyArray<string>]

/** One kind of file: its required columns and its row parser. */
export interface FileFormat<Name extends string, A> {
  readonly name: Name
  /** The source in citations. */
  readonly source: string
  readonly columns: ReadonlyArray<Column>
  /** Column names of a file without a header line; false for columns that are not read. */
  readonly unnamed?: ReadonlyArray<string | false>
  /** Reads a row: undefined if it is not used, left if it is invalid. */
  readonly read: (row: Row) => Either.Either<A | undefined, RowError>
  readonly seasonOf: (value: A) => number
  /** Two values with the same key are duplicates. */
  readonly keyOf: (value: A) => string
  /** Merges two values with the same key; without it, a duplicate makes the file invalid. */
  readonly merge?: (first: A, second: A) => A
  /** Checks of all used rows together. */
  readonly checks?: ReadonlyArray<() => FileCheck>
}

/** The first missing column, with all its names. */
const findMissingColumn = (columns: ReadonlyArray<Column>, header: ReadonlyArray<string>): string | undefined => {
  const there = new Set(header)
  const lacking = columns.find(
    (column) => !(typeof column === "string" ? [column] : column).some((name) => there.has(name)),
  )
  return lacking === undefined || typeof lacking === "string" ? lacking : lacking.join(" or ")
}

/** Why a file is rejected; nothing of it is stored. */
export interface FileError {
  readonly reason: string
  readonly field?: string
  /** 1 for the first line. */
  readonly line?: number
}

export const formatError = ({ reason, field, line }: FileError): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(field === undefined ? [] : [field]), reason].join(", ")

export interface FileValues<A> {
  readonly header: ReadonlyArray<string>
  readonly values: ReadonlyArray<A>
  readonly seasons: ReadonlyArray<number>
}

/** Makes a reader that takes a file row by row and stops at the first invalid row. */
export const makeReader = <A>(feed: FileFormat<string, A>, header: ReadonlyArray<string>) => {
  const missing = findMissingColumn(feed.columns, header)
  const values: Array<A> = []
  const places = new Map<string, { readonly line: number; readonly index: number }>()
  const seasons = new Set<number>()
  const checks = (feed.checks ?? []).map((check) => check())
  let refusal: FileError | undefined =
    missing === undefined ? undefined : { field: missing, line: 1, reason: "Missing column." }
  return {
    /**
     * @param line the row's first line
     * @returns the file's error, if there is one so far
     */
    take: (row: Row, line: number): FileError | undefined => {
      if (refusal !== undefined) return refusal
      const read = feed.read(row)
      if (Either.isLeft(read)) {
        refusal = { ...read.left, line }
        return refusal
      }
      const value = read.right
      if (value === undefined) return undefined
      const key = feed.keyOf(value)
      const previous = places.get(key)
      if (previous !== undefined && feed.merge !== undefined) {
        values[previous.index] = feed.merge(values[previous.index]!, value)
        return undefined
      }
      if (previous !== undefined) refusal = { line, reason: `Duplicate of line ${previous.line}: ${key}.` }
      places.set(key, { line, index: values.length })
      seasons.add(feed.seasonOf(value))
      values.push(value)
      for (const check of checks) check.take(row)
      return refusal
    },
    end: (): Either.Either<FileValues<A>, FileError> => {
      for (const check of refusal === undefined ? checks : []) refusal ??= check.end()
      return refusal === undefined
        ? Either.right({ header, values, seasons: [...seasons].sort() })
        : Either.left(refusal)
    },
  }
}

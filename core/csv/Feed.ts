import * as Either from "effect/Either"
import type { Refusal, Row } from "./row.ts"

/** A column that a file must have; where its name has changed, under any of them. */
export type Column = string | readonly [string, ...ReadonlyArray<string>]

/** One kind of file: what it must have, and how a row of it is read. */
export interface Feed<Name extends string, A> {
  readonly name: Name
  /** What answers cite. */
  readonly source: string
  readonly columns: ReadonlyArray<Column>
  /** What the columns are called where no line of the file names them; false: not read. */
  readonly unnamed?: ReadonlyArray<string | false>
  /** Undefined for a row that is of no use here; a `Refusal` for one that cannot be true. */
  readonly read: (row: Row) => Either.Either<A | undefined, Refusal>
  readonly seasonOf: (value: A) => number
  /** Two values with one key are the same thing told twice. */
  readonly keyOf: (value: A) => string
}

/** The first column that a file lacks; its newest name, and those it also goes by. */
export const missingColumn = (columns: ReadonlyArray<Column>, header: ReadonlyArray<string>): string | undefined => {
  const there = new Set(header)
  const lacking = columns.find(
    (column) => !(typeof column === "string" ? [column] : column).some((name) => there.has(name)),
  )
  return lacking === undefined || typeof lacking === "string" ? lacking : lacking.join(" or ")
}

/** Why a file is refused: nothing of it is stored. */
export interface FileRefusal {
  readonly reason: string
  /** The column that shows it. */
  readonly field?: string
  /** 1 for the first line. */
  readonly line?: number
}

/** A refusal as a person reads it. */
export const told = ({ reason, field, line }: FileRefusal): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(field === undefined ? [] : [field]), reason].join(", ")

/** What a file says. */
export interface FileValues<A> {
  readonly values: ReadonlyArray<A>
  readonly seasons: ReadonlyArray<number>
}

/** Reads a file row by row, and stops at the first that cannot be taken. */
export const reader = <A>(feed: Feed<string, A>, header: ReadonlyArray<string>) => {
  const missing = missingColumn(feed.columns, header)
  const values: Array<A> = []
  const lines = new Map<string, number>()
  const seasons = new Set<number>()
  let refusal: FileRefusal | undefined =
    missing === undefined ? undefined : { field: missing, line: 1, reason: "The file has no such column." }
  return {
    /** @param line where the row begins. @returns why the file is refused from here on, if it is */
    take: (row: Row, line: number): FileRefusal | undefined => {
      if (refusal !== undefined) return refusal
      const read = feed.read(row)
      if (Either.isLeft(read)) {
        refusal = { ...read.left, line }
        return refusal
      }
      const value = read.right
      if (value === undefined) return undefined
      const key = feed.keyOf(value)
      const before = lines.get(key)
      if (before !== undefined) refusal = { line, reason: `${key} stands on line ${before}, too.` }
      lines.set(key, line)
      seasons.add(feed.seasonOf(value))
      values.push(value)
      return refusal
    },
    end: (): Either.Either<FileValues<A>, FileRefusal> =>
      refusal === undefined ? Either.right({ values, seasons: [...seasons].sort() }) : Either.left(refusal),
  }
}

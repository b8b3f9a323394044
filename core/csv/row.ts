import * as Either from "effect/Either"
import { isDay } from "../time.ts"

/** One row of a data file, by column name. A missing column reads like an empty one. */
export type Row = Readonly<Record<string, string | undefined>>

/** Why a row is invalid, and the column with the error. */
export interface RowError {
  readonly field: string
  readonly reason: string
}

export type CellResult<A> = Either.Either<A, RowError>

export const rowError = (field: string, reason: string): Either.Either<never, RowError> =>
  Either.left({ field, reason })

/** Reads trimmed text; undefined if it is empty or `NA`. */
export const readText = (row: Row, field: string): string | undefined => {
  const value = row[field]?.trim()
  return value === undefined || value === "" || value === "NA" ? undefined : value
}

export const readRequiredText = (row: Row, field: string): CellResult<string> =>
  requireValue(readText(row, field), field)

export const requireValue = <A>(value: A | undefined, field: string): CellResult<A> =>
  value === undefined ? rowError(field, "Missing value.") : Either.right(value)

/** Reads an optional number; a text that is not a finite number is an error. */
export const readNumber = (row: Row, field: string): CellResult<number | undefined> => {
  const value = readText(row, field)
  if (value === undefined) return Either.right(undefined)
  const number = Number(value)
  return Number.isFinite(number) ? Either.right(number) : rowError(field, `"${value}" is not a number.`)
}

export const readRequiredNumber = (row: Row, field: string): CellResult<number> =>
  Either.flatMap(readNumber(row, field), (value) => requireValue(value, field))

export const readOptionalNumber = (
  row: Row,
  field: string,
  low: number,
  high: number,
): CellResult<number | undefined> =>
  Either.flatMap(readNumber(row, field), (value) =>
    value === undefined || (value >= low && value <= high)
      ? Either.right(value)
      : rowError(field, `${value} is not a number from ${low} to ${high}.`),
  )

export const readInteger = (row: Row, field: string, low: number, high: number): CellResult<number> =>
  Either.flatMap(readRequiredNumber(row, field), (value) =>
    Number.isInteger(value) && value >= low && value <= high
      ? Either.right(value)
      : rowError(field, `${value} is not an integer from ${low} to ${high}.`),
  )

export const readOptionalInteger = (
  row: Row,
  field: string,
  low: number,
  high: number,
): CellResult<number | undefined> =>
  readText(row, field) === undefined ? Either.right(undefined) : readInteger(row, field, low, high)

export const readOption = <A extends string>(
  row: Row,
  field: string,
  values: ReadonlyArray<A>,
): CellResult<A | undefined> => {
  const value = readText(row, field)
  if (value === undefined) return Either.right(undefined)
  const match = values.find((one) => one === value)
  return match === undefined ? rowError(field, `"${value}" is not one of ${values.join(", ")}.`) : Either.right(match)
}

/** Reads a required date YYYY-MM-DD. */
export const readDay = (row: Row, field: string): CellResult<string> => {
  const value = readText(row, field) ?? ""
  return isDay(value) ? Either.right(value) : rowError(field, `"${value}" is not a date (YYYY-MM-DD).`)
}

/** Reads a required date YYYYMMDD and returns it as YYYY-MM-DD. */
export const readPlainDay = (row: Row, field: string): CellResult<string> => {
  const value = readText(row, field) ?? ""
  const day = value.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")
  return day !== value && isDay(day) ? Either.right(day) : rowError(field, `"${value}" is not a date (YYYYMMDD).`)
}

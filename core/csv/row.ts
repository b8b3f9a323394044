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

/** Trimmed text; undefined where it is empty or `NA`. */
export const textIn = (row: Row, field: string): string | undefined => {
  const value = row[field]?.trim()
  return value === undefined || value === "" || value === "NA" ? undefined : value
}

/** A required text. */
export const requiredText = (row: Row, field: string): CellResult<string> => present(textIn(row, field), field)

/** A value that has to be there. */
export const present = <A>(value: A | undefined, field: string): CellResult<A> =>
  value === undefined ? rowError(field, "Missing value.") : Either.right(value)

/** An optional number; any other text that is not a finite number is an error. */
export const numberIn = (row: Row, field: string): CellResult<number | undefined> => {
  const value = textIn(row, field)
  if (value === undefined) return Either.right(undefined)
  const number = Number(value)
  return Number.isFinite(number) ? Either.right(number) : rowError(field, `"${value}" is not a number.`)
}

/** A required number. */
export const requiredNumber = (row: Row, field: string): CellResult<number> =>
  Either.flatMap(numberIn(row, field), (value) => present(value, field))

/** An optional number within bounds. */
export const optionalNumberIn = (row: Row, field: string, low: number, high: number): CellResult<number | undefined> =>
  Either.flatMap(numberIn(row, field), (value) =>
    value === undefined || (value >= low && value <= high)
      ? Either.right(value)
      : rowError(field, `${value} is not a number from ${low} to ${high}.`),
  )

/** A required integer within bounds. */
export const integerIn = (row: Row, field: string, low: number, high: number): CellResult<number> =>
  Either.flatMap(requiredNumber(row, field), (value) =>
    Number.isInteger(value) && value >= low && value <= high
      ? Either.right(value)
      : rowError(field, `${value} is not an integer from ${low} to ${high}.`),
  )

/** An optional integer within bounds. */
export const optionalIntegerIn = (
  row: Row,
  field: string,
  low: number,
  high: number,
): CellResult<number | undefined> =>
  textIn(row, field) === undefined ? Either.right(undefined) : integerIn(row, field, low, high)

export const readOption = <A extends string>(
  row: Row,
  field: string,
  values: ReadonlyArray<A>,
): CellResult<A | undefined> => {
  const value = textIn(row, field)
  if (value === undefined) return Either.right(undefined)
  const match = values.find((one) => one === value)
  return match === undefined ? rowError(field, `"${value}" is not one of ${values.join(", ")}.`) : Either.right(match)
}

/** A required date YYYY-MM-DD. */
export const dayIn = (row: Row, field: string): CellResult<string> => {
  const value = textIn(row, field) ?? ""
  return isDay(value) ? Either.right(value) : rowError(field, `"${value}" is not a date (YYYY-MM-DD).`)
}

/** A required date YYYYMMDD, returned as YYYY-MM-DD. */
export const plainDayIn = (row: Row, field: string): CellResult<string> => {
  const value = textIn(row, field) ?? ""
  const day = value.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")
  return day !== value && isDay(day) ? Either.right(day) : rowError(field, `"${value}" is not a date (YYYYMMDD).`)
}

import { correlation } from "../math/correlation.ts"
import { enumeration, plural } from "../text.ts"

/** Largest accepted loss of rows from one version of a file to the next, as a share and as a count. */
const mostLost = { share: 0.1, rows: 2 }

/** Why a new version of a file is too short; undefined: it is not. */
export const shortened = (rowsBefore: number, rows: number): string | undefined =>
  rowsBefore - rows > Math.max(mostLost.share * rowsBefore, mostLost.rows)
    ? `it has ${plural(rows, "row")}, and had ${rowsBefore}: more than a tenth is gone`
    : undefined

/** Why a file that lists periods again lacks some; undefined: it lacks none. */
export const lost = (
  what: string,
  stored: ReadonlyArray<number>,
  listed: ReadonlySet<number>,
  of = "",
): string | undefined => {
  const gone = stored.filter((one) => !listed.has(one)).map(String)
  return gone.length === 0
    ? undefined
    : `it has lost ${what}${gone.length === 1 ? "" : "s"} ${enumeration(gone, "and")}${of}`
}

/** Rows of which a column may change from one version to the next, as a share. */
const mostChanged = 0.1
/** Least correlation of changed figures with the former ones: a recomputation gives nearly the same figures. */
const leastResemblance = 0.9
/** Fewer pairs say nothing. */
const leastPairs = 20

type Value = string | number | null

/** Whether a column of rows that were stored before has become another one. */
const isReplaced = (pairs: ReadonlyArray<readonly [Value, Value]>): boolean => {
  const both = pairs.filter(([before, after]) => before !== null && after !== null)
  const changed = both.filter(([before, after]) => before !== after).length
  if (both.length < leastPairs || changed <= mostChanged * both.length) return false
  const numbers = both.filter(
    (pair): pair is readonly [number, number] => typeof pair[0] === "number" && typeof pair[1] === "number",
  )
  return numbers.length < both.length || !(correlation(numbers) >= leastResemblance)
}

/**
 * Why rows that were stored before are now others, such as values shifted by a row or times of another zone; undefined:
 * they are not.
 *
 * @param pairs the stored row and the file's row of the same key
 */
export const replaced = (
  columns: ReadonlyArray<string>,
  pairs: ReadonlyArray<readonly [Readonly<Record<string, Value>>, Readonly<Record<string, Value>>]>,
): string | undefined => {
  const column = columns.find((name) =>
    isReplaced(pairs.map(([before, after]) => [before[name] ?? null, after[name] ?? null])),
  )
  return column === undefined
    ? undefined
    : `${column} differs in more than a tenth of ${pairs.length} stored rows and does not resemble what was there`
}

import { correlation } from "../math/correlation.ts"
import { enumeration, plural } from "../text.ts"

/** The largest accepted loss of rows from one version of a file to the next, as a share and as a count. */
const maxLost = { share: 0.1, rows: 2 }

/** Why a new version of a file is too short; undefined if it is not. */
export const whyShortened = (rowsBefore: number, rows: number): string | undefined =>
  rowsBefore - rows > Math.max(maxLost.share * rowsBefore, maxLost.rows)
    ? `it has ${plural(rows, "row")} and had ${rowsBefore}: more than a tenth is gone`
    : undefined

/** Which stored periods a file no longer lists; undefined if it lists all. */
export const whyLost = (
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

/** The share of rows in which a column may change from one version to the next. */
const maxChangedShare = 0.1
/** The least correlation of changed figures with the former ones, as a recomputation gives nearly the same figures. */
const minResemblance = 0.9
/** Fewer pairs are too few to tell. */
const minPairs = 20

type Value = string | number | null

/** Whether the values of a column in stored rows have been replaced by others. */
const isReplaced = (pairs: ReadonlyArray<readonly [Value, Value]>): boolean => {
  const both = pairs.filter(([before, after]) => before !== null && after !== null)
  const changed = both.filter(([before, after]) => before !== after).length
  if (both.length < minPairs || changed <= maxChangedShare * both.length) return false
  const numbers = both.filter(
    (pair): pair is readonly [number, number] => typeof pair[0] === "number" && typeof pair[1] === "number",
  )
  return numbers.length < both.length || !(correlation(numbers) >= minResemblance)
}

/**
 * Why rows of a file are not those that were stored under the same keys, as with values shifted by a row or times of another
 * zone; undefined if they are.
 *
 * @param pairs the stored row and the file's row of the same key
 */
export const whyReplaced = (
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

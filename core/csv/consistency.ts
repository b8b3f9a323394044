import { getOrMake } from "../getOrMake.ts"
import { correlation } from "../math/correlation.ts"
import type { Row } from "./row.ts"

/** Why a file as a whole is rejected, and the column that shows it. */
export interface Inconsistency {
  readonly field: string
  readonly reason: string
}

/** A check of a file as a whole: its rows contradict each other, as they do when a column is shifted by a row. */
export interface FileCheck {
  readonly take: (row: Row) => void
  /** Undefined: the rows are consistent, or too few to tell. */
  readonly end: () => Inconsistency | undefined
}

/** Fewer rows say nothing. */
export const leastRows = 64

const percent = (share: number): string => `${Math.round(100 * share)} %`

const largest = (counts: ReadonlyMap<string, number>): number => Math.max(...counts.values())

/**
 * One text stands for another, such as a player's id for his name. One row in twenty may differ: names change.
 *
 * @param pairs empty: the row says nothing
 */
export const determines =
  (field: string, what: string, pairs: (row: Row) => ReadonlyArray<readonly [key: string, value: string]>) =>
  (): FileCheck => {
    const seen = new Map<string, Map<string, number>>()
    let rows = 0
    return {
      take: (row) => {
        for (const [key, value] of pairs(row)) {
          const counts = getOrMake(seen, key, () => new Map<string, number>())
          counts.set(value, (counts.get(value) ?? 0) + 1)
          rows++
        }
      },
      end: () => {
        const usual = [...seen.values()].reduce((sum, counts) => sum + largest(counts), 0)
        return rows < leastRows || usual >= 0.95 * rows
          ? undefined
          : { field, reason: `${rows - usual} of ${rows} values contradict ${what} of other rows.` }
      },
    }
  }

/**
 * Something holds in most rows.
 *
 * @param holds undefined: the row says nothing
 * @param least share of the rows that do
 */
export const mostly =
  (field: string, what: string, least: number, holds: (row: Row) => boolean | undefined) => (): FileCheck => {
    let [rows, good] = [0, 0]
    return {
      take: (row) => {
        const held = holds(row)
        if (held === undefined) return
        rows++
        if (held) good++
      },
      end: () =>
        rows < leastRows || good >= least * rows
          ? undefined
          : {
              field,
              reason: `${what} in ${percent(good / rows)} of ${rows} rows; at least ${percent(least)} is normal.`,
            },
    }
  }

/** A correlation that is too low, in words. */
export const uncorrelated = (
  field: string,
  what: string,
  least: number,
  pairs: ReadonlyArray<readonly [number, number]>,
): Inconsistency | undefined => {
  if (pairs.length < leastRows) return undefined
  const coefficient = correlation(pairs)
  return coefficient >= least
    ? undefined
    : {
        field,
        reason: `Its correlation with ${what} is ${coefficient.toFixed(2)} over ${pairs.length} rows; at least ${least} is normal.`,
      }
}

/** Requires a positive correlation of two quantities. @param pairs empty: the row is ignored */
export const correlates =
  (field: string, what: string, least: number, pair: (row: Row) => readonly [number, number] | undefined) =>
  (): FileCheck => {
    const pairs: Array<readonly [number, number]> = []
    return {
      take: (row) => {
        const values = pair(row)
        if (values !== undefined) pairs.push(values)
      },
      end: () => uncorrelated(field, what, least, pairs),
    }
  }

/** Share of a week's rows that may be alike: with more, the week is a copy of the one before. */
const mostRepeated = 0.9

/**
 * The rows of a week are not those of the week before.
 *
 * @param least rows of a week; fewer may be alike by chance
 * @param of the week, who, and his figures
 */
export const differsByWeek =
  (field: string, least: number, of: (row: Row) => readonly [week: number, who: string, figures: string]) =>
  (): FileCheck => {
    const weeks = new Map<number, Map<string, string>>()
    return {
      take: (row) => {
        const [week, who, figures] = of(row)
        getOrMake(weeks, week, () => new Map<string, string>()).set(who, figures)
      },
      end: () => {
        for (const [week, rows] of weeks) {
          const previousWeek = weeks.get(week - 1)
          if (previousWeek === undefined || rows.size < least) continue
          const same = [...rows].filter(([who, figures]) => previousWeek.get(who) === figures).length
          if (same >= mostRepeated * rows.size) {
            return { field, reason: `${same} of ${rows.size} rows of week ${week % 100} are those of the week before.` }
          }
        }
        return undefined
      },
    }
  }

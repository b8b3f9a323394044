import { getOrMake } from "../getOrMake.ts"
import { correlation } from "../math/correlation.ts"
import type { Row } from "./row.ts"

/** Why a file as a whole is rejected, and the column that shows it. */
export interface Inconsistency {
  readonly field: string
  readonly reason: string
}

/** A check of a file as a whole: whether its rows contradict each other, as they do if a column is shifted by a row. */
export interface FileCheck {
  readonly take: (row: Row) => void
  /** Undefined if the rows are consistent, or too few to tell. */
  readonly end: () => Inconsistency | undefined
}

/** Fewer rows are too few to tell. */
export const minRows = 64

const percent = (share: number): string => `${Math.round(100 * share)} %`

const findLargest = (counts: ReadonlyMap<string, number>): number => Math.max(...counts.values())

/**
 * Checks that one text determines another, such as a player's id his name. One row in twenty may differ, as names change.
 *
 * @param pairs the pairs of a row; empty if it has none
 */
export const checkDetermines =
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
        const usual = [...seen.values()].reduce((sum, counts) => sum + findLargest(counts), 0)
        return rows < minRows || usual >= 0.95 * rows
          ? undefined
          : { field, reason: `${rows - usual} of ${rows} values contradict ${what} of other rows.` }
      },
    }
  }

/**
 * Checks that something holds in most rows.
 *
 * @param least the smallest share of the rows in which it has to hold
 * @param holds undefined if a row does not tell
 */
export const checkMostly =
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
        rows < minRows || good >= least * rows
          ? undefined
          : {
              field,
              reason: `${what} in ${percent(good / rows)} of ${rows} rows; at least ${percent(least)} is normal.`,
            },
    }
  }

export const whyUncorrelated = (
  field: string,
  what: string,
  least: number,
  pairs: ReadonlyArray<readonly [number, number]>,
): Inconsistency | undefined => {
  if (pairs.length < minRows) return undefined
  const coefficient = correlation(pairs)
  return coefficient >= least
    ? undefined
    : {
        field,
        reason: `Its correlation with ${what} is ${coefficient.toFixed(2)} over ${pairs.length} rows; at least ${least} is normal.`,
      }
}

/**
 * Checks that two quantities are correlated.
 *
 * @param pair the quantities of a row; undefined if it is to be ignored
 */
export const checkCorrelates =
  (field: string, what: string, least: number, pair: (row: Row) => readonly [number, number] | undefined) =>
  (): FileCheck => {
    const pairs: Array<readonly [number, number]> = []
    return {
      take: (row) => {
        const values = pair(row)
        if (values !== undefined) pairs.push(values)
      },
      end: () => whyUncorrelated(field, what, least, pairs),
    }
  }

/** If a larger share of a week's rows equals those of the week before, the week is a copy. */
const maxRepeatedShare = 0.9

/**
 * Checks that the rows of a week are not those of the week before.
 *
 * @param least the fewest rows of a week that is checked, as fewer may be equal by chance
 * @param of the week of a row, whose it is, and the figures
 */
export const checkDiffersByWeek =
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
          if (same >= maxRepeatedShare * rows.size) {
            return { field, reason: `${same} of ${rows.size} rows of week ${week % 100} are those of the week before.` }
          }
        }
        return undefined
      },
    }
  }

/** A number that is counted up to a bound, so that no count reads a whole table. */
export interface BoundedCount {
  readonly count: number
  /** Whether there are more than `count`. */
  readonly isMore: boolean
}

/** Maximum number of rows that a count reads. */
export const maxCounted = 1_000

/** The bounded count of rows of which at most `maxCounted` + 1 were read. */
export const boundedCount = (rows: number): BoundedCount => ({
  count: Math.min(rows, maxCounted),
  isMore: rows > maxCounted,
})

export const countText = ({ count, isMore }: BoundedCount): string =>
  `${count.toLocaleString("en-US")}${isMore ? " or more" : ""}`

/** A number that is counted up to a bound, so that no count reads a whole table. */
export interface Counted {
  readonly count: number
  /** Whether there are more than `count`. */
  readonly isMore: boolean
}

/** Most rows that a count reads. */
export const mostCounted = 1_000

/** What a count has found that looked for one row more. */
export const counted = (found: number): Counted => ({
  count: Math.min(found, mostCounted),
  isMore: found > mostCounted,
})

/** A count in words. */
export const wordsOf = ({ count, isMore }: Counted): string =>
  `${count.toLocaleString("en-US")}${isMore ? " or more" : ""}`

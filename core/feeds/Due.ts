import { type Failure, fail, type Hint } from "../Failure.ts"

/** A point in a feed's calendar. */
export interface Period {
  readonly order: number
  /** Such as `week 11 of 2026`, `24 November 2026` or `14:05 UTC`. */
  readonly name: string
}

/**
 * The schedule of a source's data: the periods, and the time by which each is due. The register (`Feeds`) compares it with
 * the stored data; answers, the record, jobs, readiness, metrics and `doctor` read the register.
 */
export interface Due {
  /** Unique in a process, and a label of metrics: lower-case words joined by underscores. */
  readonly name: string
  /** Its name at the start of a sentence, such as `NFL injury reports`; a plural. */
  readonly title: string
  /** By when a period must be there, in words. */
  readonly due: string
  /** What callers get while a due period is missing, in words. */
  readonly absence: string
}

/** The due and the present periods of a feed. */
export interface Coverage {
  /** The newest period that is there; absent: there is none. */
  readonly newest?: Period
  /** The newest period that must be there by now; absent: none. */
  readonly expected?: Period
  /** Due periods of the present campaign (season, days, minutes) that are not there, oldest first: the source is late. */
  readonly missing: ReadonlyArray<Period>
  /** Missing earlier periods, oldest first: holes of an archive. */
  readonly gaps: ReadonlyArray<Period>
  /** When the source is asked next, epoch milliseconds; absent: with the next call. */
  readonly nextAttemptAt?: number
}

/**
 * Coverage from the periods that are due.
 *
 * @param due oldest first
 * @param from the first period of the present campaign
 */
export const toCoverage = (
  due: ReadonlyArray<Period>,
  isThere: (period: Period) => boolean,
  newest: Period | undefined,
  from: number,
): Coverage => {
  const absent = due.filter((period) => !isThere(period))
  return {
    ...(newest !== undefined && { newest }),
    ...(due.length > 0 && { expected: due.at(-1)! }),
    missing: absent.filter(({ order }) => order >= from),
    gaps: absent.filter(({ order }) => order < from),
  }
}

/** Whether a due period is missing: the source is late. */
export const isBehind = ({ missing }: Coverage): boolean => missing.length > 0

/** `NFL team stats end with week 9 of 2026; week 11 of 2026 is due`. */
export const gapText = ({ title }: Due, { newest, expected, missing }: Coverage): string => {
  const [first] = missing
  const isHole = first !== undefined && newest !== undefined && first.order < newest.order
  const end = newest === undefined ? `${title} have not come yet` : `${title} end with ${newest.name}`
  return [
    isHole ? `${end} and lack ${first.name}` : end,
    ...(expected === undefined ? [] : [`${expected.name} is due`]),
  ].join("; ")
}

/** `week 9 of 2026`, or `3 periods from week 9 of 2026 to week 11 of 2026`. */
export const periodsText = (periods: ReadonlyArray<Period>): string => {
  const [first] = periods
  if (first === undefined) return "nothing"
  return periods.length === 1 ? first.name : `${periods.length} periods from ${first.name} to ${periods.at(-1)!.name}`
}

/** `NFL rosters lack week 9 of 2021.`; nothing without gaps. */
export const gapLines = ({ title }: Due, gaps: ReadonlyArray<Period>): ReadonlyArray<string> =>
  gaps.length === 0 ? [] : [`${title} lack ${periodsText(gaps)}.`]

const shortestRetryMs = 1_000

/** The refusal of a call for a period that is due and not there: nothing is charged. */
export const behind = (feed: Due, coverage: Coverage, now: number, ...hints: ReadonlyArray<Hint>): Failure =>
  fail("data_freshness_stale", {
    detail: `${gapText(feed, coverage)}. A late source is not taken for an answer.`,
    ...(hints.length > 0 && { hints }),
    ...(coverage.nextAttemptAt !== undefined && {
      retryAfterMs: Math.max(shortestRetryMs, coverage.nextAttemptAt - now),
    }),
  })

export interface Attempt {
  readonly feed: Due
  /** Epoch milliseconds. */
  readonly at: number
  /** Why the data was rejected, or why none came; absent: it was read. */
  readonly refusal?: string
  /** Names of the columns or fields that came; absent: not looked at. */
  readonly fields?: ReadonlyArray<string>
}

/** Times are epoch milliseconds. */
export interface FeedStatus extends Coverage {
  readonly feed: Due
  readonly lane: string
  /** Names of the upstreams that bring it, the first one first. */
  readonly upstreams: ReadonlyArray<string>
  /** `behind`: a due period is missing. `refused`: none is, and the last attempt brought nothing usable. */
  readonly state: "complete" | "refused" | "behind"
  readonly attemptedAt?: number
  /** The last attempt that was read. */
  readonly goodAt?: number
  /** The last attempt that was not. */
  readonly refusal?: { readonly at: number; readonly reason: string }
  /** Columns or fields that came later than the first ones: the source has changed its shape. */
  readonly newFields: ReadonlyArray<{ readonly name: string; readonly at: number }>
}

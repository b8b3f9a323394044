import { day, hour, minute, second } from "../time.ts"

/** The retry schedule of failed deliveries. */
export interface RetrySchedule {
  /** Milliseconds from the first attempt to each attempt; ascending, the first is 0. */
  readonly offsetsMs: ReadonlyArray<number>
  /** No attempt begins later than this after the first one. */
  readonly windowMs: number
  /** Minimum pause between the end of an attempt and the start of the next. */
  readonly restMs: number
  /** Share by which a pause varies, so that a recovered receiver does not get all retries at once. */
  readonly jitter: number
}

/** Timeout of an attempt, from the DNS look-up to the end of the response, milliseconds. */
export const timeoutMs = 15_000

const window = day

/** Eleven attempts in 24 h. The last is at 90 % of the window, so that jitter cannot move it past the end. */
export const standard: RetrySchedule = {
  offsetsMs: [
    0,
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
    8 * hour,
    0.9 * window,
  ],
  windowMs: window,
  restMs: second,
  jitter: 0.1,
}

/** A failed attempt. Times are epoch milliseconds. */
export interface Failed {
  /** Number of failed attempts, this one included. */
  readonly failures: number
  readonly startedAt: number
  readonly finishedAt: number
  /** End of the window, which begins with the first attempt. */
  readonly expiresAt: number
  /** The pause that the receiver asked for. */
  readonly retryAfterMs?: number | undefined
}

/**
 * When to retry; undefined after the last attempt.
 *
 * Pauses run from the start of one attempt to the start of the next, so that a receiver that fails at once sees the
 * offsets. Jitter is drawn per pause. A receiver's `Retry-After` lengthens a pause, at most to the end of the window.
 *
 * @param random from 0 to 1
 */
export const nextAttemptAt = (
  { offsetsMs, windowMs, restMs, jitter }: RetrySchedule,
  { failures, startedAt, finishedAt, expiresAt, retryAfterMs = 0 }: Failed,
  random: number,
): number | undefined => {
  const offset = offsetsMs[failures]
  // One minute of margin for a late worker: no attempt starts after the window.
  const latest = expiresAt - Math.min(minute, windowMs / 100)
  if (offset === undefined || finishedAt + restMs >= latest) return undefined
  const pause = (offset - offsetsMs[failures - 1]!) * (1 + jitter * (2 * random - 1))
  const due = Math.max(startedAt + pause, finishedAt + restMs, finishedAt + retryAfterMs)
  return Math.round(Math.min(due, latest))
}

/**
 * The pause of a `Retry-After` header, milliseconds; undefined if it cannot be parsed.
 *
 * @param now epoch milliseconds; a date in the header is measured from it
 */
export const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,10}$/.test(header)) return Number(header) * second
  const time = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}

import { day, hour, minute, second } from "../time.ts"

/** When a delivery that fails is tried again. */
export interface RetrySchedule {
  /** From the first attempt to each one, milliseconds; rising, the first is 0. */
  readonly offsetsMs: ReadonlyArray<number>
  /** No attempt begins later than this after the first one. */
  readonly windowMs: number
  /** The least pause between the end of an attempt and the next one. */
  readonly restMs: number
  /** Share by which a pause varies, so that a receiver that comes back does not meet everything at once. */
  readonly jitter: number
}

const window = day

/** Eleven attempts in a day. The last one is placed so that its jitter cannot carry it over the end of the window. */
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

/** An attempt that failed. Times are epoch milliseconds. */
export interface Failed {
  /** How many attempts have failed, this one included. */
  readonly failures: number
  readonly startedAt: number
  readonly finishedAt: number
  /** When the window ends: counted from the first attempt. */
  readonly expiresAt: number
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined
}

/**
 * When to try again, or undefined: that was the last time.
 *
 * Pauses run from the start of one attempt to the start of the next, so that a receiver that fails at once sees the
 * offsets. Jitter is drawn per pause. A receiver may ask for a longer pause, and gets it as far as the window reaches.
 *
 * @param random from 0 to 1
 */
export const next = (
  { offsetsMs, windowMs, restMs, jitter }: RetrySchedule,
  { failures, startedAt, finishedAt, expiresAt, retryAfterMs = 0 }: Failed,
  random: number,
): number | undefined => {
  const offset = offsetsMs[failures]
  // A minute for a worker that is late: what is begun after the window is not begun.
  const latest = expiresAt - Math.min(minute, windowMs / 100)
  if (offset === undefined || finishedAt + restMs >= latest) return undefined
  const pause = (offset - offsetsMs[failures - 1]!) * (1 + jitter * (2 * random - 1))
  const due = Math.max(startedAt + pause, finishedAt + restMs, finishedAt + retryAfterMs)
  return Math.round(Math.min(due, latest))
}

/**
 * The pause that a `Retry-After` header asks for, milliseconds; undefined where it says nothing that can be understood.
 *
 * @param now the time that a date in it is measured from, epoch milliseconds
 */
export const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,10}$/.test(header)) return Number(header) * second
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

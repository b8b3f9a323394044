import { minute } from "../time.ts"

/**
 * State of a token bucket, stored as one number: the time at which it is full again (generic cell rate algorithm). Its
 * capacity is one minute's calls; it fills continuously.
 */
export interface RateLimitState {
  readonly ok: boolean
  /** Calls per minute, also the bucket's capacity. */
  readonly limit: number
  /** Whole calls left after this one. */
  readonly remaining: number
  /** Seconds until the bucket is full, rounded up. */
  readonly resetSeconds: number
  /** 0 when the call was allowed; else the time until the next one is. */
  readonly retryAfterMs: number
}

/** One nanosecond in ms, so that rounding in sums of 60000/7 does not cost the last call of a full bucket. */
const slack = 1e-6

/** When the bucket is full, limited to the time from now to one minute from now, in case the clock was set back. */
const clampFullAt = (fullAt: number | undefined, now: number): number =>
  Math.min(Math.max(fullAt ?? now, now), now + minute)

const limitState = (fullAt: number, perMinute: number, now: number): RateLimitState => ({
  ok: true,
  limit: perMinute,
  remaining: Math.floor((Math.max(0, minute - (fullAt - now)) / minute) * perMinute + 1e-9),
  resetSeconds: Math.ceil((fullAt - now) / 1_000 - 1e-9),
  retryAfterMs: 0,
})

/** The state of a bucket, without taking a call. */
export const peek = (fullAt: number | undefined, perMinute: number, now: number): RateLimitState =>
  limitState(clampFullAt(fullAt, now), perMinute, now)

/**
 * Takes one call out of a bucket.
 *
 * @param fullAt when the bucket is full, epoch milliseconds; undefined for a new one
 * @param perMinute calls per minute, above 0
 * @param now epoch milliseconds
 * @returns the new `fullAt`, and the state for the caller
 */
export const take = (
  fullAt: number | undefined,
  perMinute: number,
  now: number,
): readonly [fullAt: number, taken: RateLimitState] => {
  const previous = clampFullAt(fullAt, now)
  const after = previous + minute / perMinute
  if (after - now <= minute + slack) return [after, limitState(after, perMinute, now)]
  return [
    previous,
    { ...limitState(previous, perMinute, now), ok: false, retryAfterMs: Math.ceil(after - now - minute - slack) },
  ]
}

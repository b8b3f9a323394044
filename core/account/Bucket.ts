import { minute } from "../time.ts"

/**
 * A token bucket that is one number: the time at which it will be full again (the generic cell rate algorithm). It
 * holds one minute's calls and fills continuously.
 */
export interface Taken {
  readonly ok: boolean
  /** Calls per minute, which is also what the bucket holds. */
  readonly limit: number
  /** Whole calls left after this one. */
  readonly remaining: number
  /** Seconds until the bucket is full, rounded up. */
  readonly resetSeconds: number
  /** 0 when the call was let through; else the time after which one more will be. */
  readonly retryAfterMs: number
}

/** A nanosecond: sums of 60000/7 must not cost the last call of a full bucket. */
const slack = 1e-6

/** When the bucket will be full; a clock that steps back never empties a bucket further than one minute. */
const begin = (fullAt: number | undefined, now: number): number => Math.min(Math.max(fullAt ?? now, now), now + minute)

const told = (fullAt: number, perMinute: number, now: number): Taken => ({
  ok: true,
  limit: perMinute,
  remaining: Math.floor((Math.max(0, minute - (fullAt - now)) / minute) * perMinute + 1e-9),
  resetSeconds: Math.ceil((fullAt - now) / 1_000 - 1e-9),
  retryAfterMs: 0,
})

/** What a bucket holds, with no call taken out. */
export const look = (fullAt: number | undefined, perMinute: number, now: number): Taken =>
  told(begin(fullAt, now), perMinute, now)

/**
 * Takes one call out of a bucket.
 *
 * @param fullAt when the bucket will be full, epoch milliseconds; undefined for a new one
 * @param perMinute calls per minute, above 0
 * @param now epoch milliseconds
 * @returns the bucket after it, and what to tell the caller
 */
export const take = (
  fullAt: number | undefined,
  perMinute: number,
  now: number,
): readonly [fullAt: number, taken: Taken] => {
  const before = begin(fullAt, now)
  const after = before + minute / perMinute
  if (after - now <= minute + slack) return [after, told(after, perMinute, now)]
  return [before, { ...told(before, perMinute, now), ok: false, retryAfterMs: Math.ceil(after - now - minute - slack) }]
}

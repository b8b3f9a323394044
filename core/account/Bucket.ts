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

const minute = 60_000

/**
 * Takes one call out of a bucket.
 *
 * @param fullAt when the bucket will be full, epoch milliseconds; undefined for a new one
 * @param perMinute calls per minute, above 0
 * @param now epoch milliseconds; a clock that steps back never empties a bucket further than one minute
 * @returns the bucket after it, and what to tell the caller
 */
export const take = (
  fullAt: number | undefined,
  perMinute: number,
  now: number,
): readonly [fullAt: number, taken: Taken] => {
  const each = minute / perMinute
  const before = Math.min(Math.max(fullAt ?? now, now), now + minute)
  const after = before + each
  // A nanosecond of slack: sums of 60000/7 must not cost the last call of a full bucket.
  const ok = after - now <= minute + 1e-6
  const next = ok ? after : before
  const left = Math.max(0, minute - (next - now))
  return [
    next,
    {
      ok,
      limit: perMinute,
      remaining: Math.floor(left / each + 1e-9),
      resetSeconds: Math.ceil((next - now) / 1_000 - 1e-9),
      retryAfterMs: ok ? 0 : Math.ceil(after - now - minute),
    },
  ]
}

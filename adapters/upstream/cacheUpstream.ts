import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as CallContext from "../../core/CallContext.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"
import { minute, second } from "../../core/time.ts"

export interface Options<A> {
  /** Time to live of a success, milliseconds. */
  readonly ttlMs: number
  /** Most cached keys; the least recently used one is evicted first. */
  readonly capacity: number
  /**
   * Epoch milliseconds until which an old value may be returned if the upstream fails; by default failures are not
   * replaced by old values.
   */
  readonly usableUntil?: (answer: A) => number
}

/** A value; `held`: it is an old one, returned because the upstream failed. */
export interface CachedValue<A> {
  readonly value: A
  readonly stale: boolean
}

/** Failures are cached for 2 to 60 s, so that many callers make one request to a failing upstream. */
const shortest = 2 * second
const longest = minute
/** `not_found` is cached for 10 min. */
const absentFor = 10 * minute

const failedFor = ({ code, retryAfterMs = shortest }: Failure): number =>
  code === "not_found" ? absentFor : Math.min(longest, Math.max(shortest, retryAfterMs))

/** Most keys of the separate cache for free calls. */
const maxAside = 64

/** A value and its time to live, milliseconds. */
interface Cached<A> extends CachedValue<A> {
  readonly ttlMs: number
}

const timeToLive = <A>(exit: Exit.Exit<Cached<A>, Failure>): number =>
  Exit.match(exit, {
    onSuccess: (kept) => kept.ttlMs,
    onFailure: (cause) => Option.match(Cause.failureOption(cause), { onNone: () => shortest, onSome: failedFor }),
  })

/** The call's deadline was reached. The request continues, for later callers. */
const late = fail("upstream_unavailable", {
  detail: `The data source did not respond within this call's ${CallContext.upstreamDeadlineMs / second} s.`,
  retryAfterMs: 5_000,
})

/** The last value of each key, newest last. */
const shelf = <A>(capacity: number) => {
  const kept = new Map<string, A>()
  return {
    get: (key: string): A | undefined => kept.get(key),
    put: (key: string, value: A): void => {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > capacity) kept.delete(kept.keys().next().value!)
    },
  }
}

/**
 * Caches `lookup` by key. Concurrent callers share one request, which continues when a caller is interrupted or reaches
 * its deadline. Success: `ttlMs`. Failure: `retryAfterMs` within 2–60 s; `not_found`: 10 min. On failure or deadline the
 * last value is returned with `stale: true` until `usableUntil(value)`; then it fails.
 */
export const cacheUpstream = <A>(
  lookup: (key: string) => Effect.Effect<A, Failure>,
  { ttlMs, capacity, usableUntil }: Options<A>,
): Effect.Effect<(key: string) => Effect.Effect<CachedValue<A>, Failure>> =>
  Effect.gen(function* () {
    const last = shelf<A>(capacity)

    const standIn = (key: string, failure: Failure): Effect.Effect<Cached<A>, Failure> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const before = last.get(key)
        return failure.code !== "not_found" && before !== undefined && now < (usableUntil?.(before) ?? 0)
          ? Effect.succeed({ value: before, stale: true, ttlMs: failedFor(failure) })
          : Effect.fail(failure)
      })

    const fresh = {
      capacity,
      lookup: (key: string) =>
        lookup(key).pipe(
          Effect.map((value) => {
            if (usableUntil !== undefined) last.put(key, value)
            return { value, stale: false, ttlMs }
          }),
          Effect.catchAll((failure) => standIn(key, failure)),
        ),
      timeToLive,
    }
    const cache = yield* Cache.makeWith(fresh)
    /** Requests of free calls, which queue longer: paid calls must not share them. */
    const aside = yield* Cache.makeWith({ ...fresh, capacity: Math.min(capacity, maxAside) })

    const unpaid = (key: string): Effect.Effect<Cached<A>, Failure> =>
      Effect.flatMap(
        cache.getOption(key),
        Option.match({
          onNone: () => Effect.tap(aside.get(key), (kept) => (kept.stale ? Effect.void : cache.set(key, kept))),
          onSome: Effect.succeed,
        }),
      )
    const of = (key: string) =>
      Effect.flatMap(CallContext.rank, (rank) => (rank === "unpaid" ? unpaid(key) : cache.get(key)))
    // Forked, since the cache passes the interruption of the first caller on to all waiting callers.
    const request = (key: string) =>
      Effect.flatMap(Effect.forkDaemon(of(key)), (fiber) =>
        CallContext.wait(Fiber.join(fiber), () => standIn(key, late)),
      )
    const runSync = Runtime.runSyncExit(yield* Effect.runtime<never>())
    // A cached value or failure needs no request, and so nothing to wait for.
    return (key) =>
      new Step.Startable((clock) => {
        if (clock === undefined) return request(key)
        const cached = runSync(Effect.withClock(cache.getOptionComplete(key), clock))
        if (Exit.isFailure(cached)) return Exit.failCause(cached.cause)
        return Option.isSome(cached.value) ? Exit.succeed(cached.value.value) : request(key)
      })
  })

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import * as CallContext from "../../../core/CallContext.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { isNotSent } from "../../../core/feeds/onCalls.ts"
import * as Step from "../../../core/Step.ts"
import { CallSpan } from "../../../core/telemetry/Tracing.ts"
import { minute, second } from "../../../core/time.ts"
import { silenceText } from "./UpstreamError.ts"

export interface Options<A> {
  /** The upstream's name in a sentence. */
  readonly source?: string
  /** Time to live of a success, milliseconds. */
  readonly ttlMs: number
  /** Maximum cached keys; the half that was used last is always kept. */
  readonly capacity: number
  /**
   * Until when an old value may be returned if the upstream fails, epoch milliseconds. Absent: failures are not replaced by
   * old values.
   */
  readonly usableUntil?: (answer: A) => number
  /** Whether an old value may be returned for a failure; default: for each except `not_found`. */
  readonly standsIn?: (failure: Failure) => boolean
}

/** A value; `stale`: it is an old one, returned because the upstream failed. */
export interface CachedValue<A> {
  readonly value: A
  readonly stale: boolean
}

/** Failures are cached for 2 to 60 s, so that many callers make only one request to a failing upstream. */
const minFailureMs = 2 * second
const maxFailureMs = minute
/** `not_found` is cached for 10 min. */
const notFoundMs = 10 * minute

const toFailureMs = ({ code, retryAfterMs = minFailureMs }: Failure): number =>
  code === "not_found" ? notFoundMs : Math.min(maxFailureMs, Math.max(minFailureMs, retryAfterMs))

const isReplaced = ({ code }: Failure): boolean => code !== "not_found"

/** Maximum keys of the separate cache for free calls. */
const maxUnpaidKeys = 64

/** A value and its time to live, milliseconds. */
interface Cached<A> extends CachedValue<A> {
  readonly ttlMs: number
}

const toTimeToLive = <A>(exit: Exit.Exit<Cached<A>, Failure>): number =>
  Exit.match(exit, {
    onSuccess: (kept) => kept.ttlMs,
    onFailure: (cause) => Option.match(Cause.failureOption(cause), { onNone: () => minFailureMs, onSome: toFailureMs }),
  })

/** The failure at a call's deadline. The request continues, for later callers. */
const lateFailure = (source: string): Failure =>
  fail("upstream_unavailable", { detail: silenceText(source, CallContext.upstreamDeadlineMs), retryAfterMs: 5_000 })

type Outcome<A> = Exit.Exit<Cached<A>, Failure>

/** Whether an outcome is the source's: neither an interruption nor the failure of a request that was not sent. */
const isAnswer = (found: Outcome<unknown>): boolean =>
  Exit.isSuccess(found) || (!Exit.isInterrupted(found) && !Option.exists(Cause.failureOption(found.cause), isNotSent))

/** The outcomes of requests until they expire, and the requests that are running. */
const makeRequests = <A>(
  capacity: number,
  lookup: (key: string) => Effect.Effect<Cached<A>, Failure>,
  instead: (key: string) => Effect.Effect<Cached<A>, Failure>,
) => {
  const ended = new BoundedMap<string, { readonly found: Outcome<A>; readonly until: number }>(capacity)
  const running = new Map<string, { readonly begunAt: number; readonly end: Deferred.Deferred<Cached<A>, Failure> }>()

  const put = (key: string, found: Outcome<A>): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => ended.set(key, { found, until: now + toTimeToLive(found) }))

  /** The outcome, if there is one that has not expired. */
  const get = (key: string, now: number): Outcome<A> | undefined => {
    const last = ended.get(key)
    return last === undefined || now > last.until ? undefined : last.found
  }

  /** The outcome, or that of the running request, unless that has already been running for a call's whole time. */
  const current = (key: string, now: number): Effect.Effect<Cached<A>, Failure> | undefined => {
    const request = running.get(key)
    if (request === undefined) return get(key, now)
    const end = Deferred.await(request.end)
    return now - request.begunAt < CallContext.upstreamDeadlineMs
      ? end
      : Effect.flatMap(CallContext.CallContext, ({ deadline }) =>
          deadline === Number.POSITIVE_INFINITY ? end : instead(key),
        )
  }

  /** As `current`, or the outcome of a new request, which goes on if its first caller is interrupted. */
  const ask = (key: string): Effect.Effect<Cached<A>, Failure> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const before = current(key, now)
        if (before !== undefined) return restore(before)
        const end = Deferred.unsafeMake<Cached<A>, Failure>(FiberId.none)
        running.set(key, { begunAt: now, end })
        const whole = Effect.onExit(Effect.interruptible(lookup(key)), (found) => {
          running.delete(key)
          const kept = isAnswer(found) ? put(key, found) : Effect.void
          return Effect.zipRight(kept, Deferred.done(end, found))
        })
        return Effect.zipRight(Effect.forkDaemon(whole), restore(Deferred.await(end)))
      }),
    )

  return { put, get, known: current, ask }
}

/**
 * Caches `lookup` by key. Concurrent callers share one request, which continues when a caller is interrupted or reaches
 * its deadline. Success: `ttlMs`. Failure: `retryAfterMs` within 2–60 s; `not_found`: 10 min. On failure or deadline the
 * last value is returned with `stale: true` until `usableUntil(value)`; then it fails.
 */
export const cacheUpstream = <A>(
  lookup: (key: string) => Effect.Effect<A, Failure>,
  { source = "The data source", ttlMs, capacity, usableUntil, standsIn = isReplaced }: Options<A>,
): Effect.Effect<(key: string) => Effect.Effect<CachedValue<A>, Failure>> =>
  Effect.map(Effect.context<never>(), (own) => {
    const last = new BoundedMap<string, A>(capacity)

    const findStandIn = (key: string, failure: Failure): Effect.Effect<Cached<A>, Failure> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const before = last.get(key)
        return standsIn(failure) && before !== undefined && now < (usableUntil?.(before) ?? 0)
          ? Effect.succeed({ value: before, stale: true, ttlMs: toFailureMs(failure) })
          : Effect.fail(failure)
      })

    // A request is shared: of the first caller's context it has only the deadline, the rank and the span.
    const fresh = (key: string): Effect.Effect<Cached<A>, Failure> =>
      lookup(key).pipe(
        Effect.map((value) => {
          if (usableUntil !== undefined) last.set(key, value)
          return { value, stale: false, ttlMs }
        }),
        Effect.catchAll((failure) => findStandIn(key, failure)),
        Effect.mapInputContext((asking: Context.Context<never>) =>
          Context.merge(own, Context.pick(CallContext.CallContext, CallSpan)(asking)),
        ),
      )
    const instead = (key: string) => findStandIn(key, lateFailure(source))
    const cache = makeRequests(capacity, fresh, instead)
    /** Requests of free calls, which queue longer, so that paid calls must not wait for them. */
    const unpaidCache = makeRequests(
      Math.min(capacity, maxUnpaidKeys),
      (key) => Effect.tap(fresh(key), (kept) => (kept.stale ? Effect.void : cache.put(key, Exit.succeed(kept)))),
      instead,
    )

    const askUnpaid = (key: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => cache.known(key, now) ?? unpaidCache.ask(key))
    const request = (key: string) =>
      Effect.flatMap(CallContext.rank, (rank) =>
        CallContext.wait(rank === "unpaid" ? askUnpaid(key) : cache.ask(key), () => instead(key)),
      )
    // A cached value or failure needs no fiber.
    return (key) =>
      new Step.Startable((clock) => (clock && cache.get(key, clock.unsafeCurrentTimeMillis())) ?? request(key))
  })

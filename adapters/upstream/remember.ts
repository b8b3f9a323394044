import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as CallContext from "../../core/CallContext.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { minute, second } from "../../core/time.ts"

export interface Options<A> {
  /** How long a good answer is good, milliseconds. */
  readonly goodFor: number
  /** The most keys that are kept; the one that was not asked for the longest goes first. */
  readonly capacity: number
  /**
   * Until when (epoch milliseconds) an answer may stand in for a newer one that cannot be had; without this a failure
   * is a failure.
   */
  readonly usableUntil?: (answer: A) => number
}

/** An answer, and whether it stands in for a newer one that could not be had. */
export interface Remembered<A> {
  readonly value: A
  readonly held: boolean
}

/** Failures are remembered briefly, so that a crowd of callers is one question to an upstream in trouble. */
const shortest = 2 * second
const longest = minute
/** What does not exist now will not exist soon. */
const absentFor = 10 * minute

const failedFor = ({ code, retryAfterMs = shortest }: Failure): number =>
  code === "not_found" ? absentFor : Math.min(longest, Math.max(shortest, retryAfterMs))

/** Free calls get few answers that were not there already. */
const mostAside = 64

/** An answer and how long it is good, milliseconds. */
interface Kept<A> extends Remembered<A> {
  readonly goodFor: number
}

const timeToLive = <A>(exit: Exit.Exit<Kept<A>, Failure>): number =>
  Exit.match(exit, {
    onSuccess: (kept) => kept.goodFor,
    onFailure: (cause) => Option.match(Cause.failureOption(cause), { onNone: () => shortest, onSome: failedFor }),
  })

/** A caller cannot wait any longer; the request goes on, for those who come later. */
const late = fail("upstream_unavailable", {
  detail: "The source of this data did not answer in time.",
  retryAfterMs: 5_000,
})

/** The last good answer of each key, the newest last. */
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
 * An upstream's answers, kept for a while: who asks for the same at the same time shares one request. A caller that goes
 * away, or whose call has waited long enough, leaves the request to the others.
 */
export const remember = <A>(
  lookup: (key: string) => Effect.Effect<A, Failure>,
  { goodFor, capacity, usableUntil }: Options<A>,
): Effect.Effect<(key: string) => Effect.Effect<Remembered<A>, Failure>> =>
  Effect.gen(function* () {
    const last = shelf<A>(capacity)

    const standIn = (key: string, failure: Failure): Effect.Effect<Kept<A>, Failure> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const before = last.get(key)
        return failure.code !== "not_found" && before !== undefined && now < (usableUntil?.(before) ?? 0)
          ? Effect.succeed({ value: before, held: true, goodFor: failedFor(failure) })
          : Effect.fail(failure)
      })

    const fresh = {
      capacity,
      lookup: (key: string) =>
        lookup(key).pipe(
          Effect.map((value) => {
            if (usableUntil !== undefined) last.put(key, value)
            return { value, held: false, goodFor }
          }),
          Effect.catchAll((failure) => standIn(key, failure)),
        ),
      timeToLive,
    }
    const cache = yield* Cache.makeWith(fresh)
    /** Requests of calls that are free: they wait for their turn, and nobody who pays may come to wait with them. */
    const aside = yield* Cache.makeWith({ ...fresh, capacity: Math.min(capacity, mostAside) })

    const unpaid = (key: string): Effect.Effect<Kept<A>, Failure> =>
      Effect.flatMap(
        cache.getOption(key),
        Option.match({
          onNone: () => Effect.tap(aside.get(key), (kept) => (kept.held ? Effect.void : cache.set(key, kept))),
          onSome: Effect.succeed,
        }),
      )
    const of = (key: string) =>
      Effect.flatMap(CallContext.rank, (rank) => (rank === "unpaid" ? unpaid(key) : cache.get(key)))
    // The cache hands the interruption of the one who asked first to all who wait with it.
    return (key) =>
      Effect.flatMap(Effect.forkDaemon(of(key)), (request) =>
        CallContext.wait(Fiber.join(request), () => standIn(key, late)),
      )
  })

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"

/**
 * How long a call waits for upstreams, over all its questions and their repetitions, milliseconds. Transports wait longer
 * for an answer, so that an upstream that hangs is reported as `upstream_unavailable`, with a time to try again.
 */
export const upstreamDeadlineMs = 20_000

/**
 * Whose turn it is first where an upstream is asked: that of a call that pays for its answer. A job, and a call that may
 * turn out to be free, come behind; what is free for certain has a place of its own and takes none of theirs.
 */
export type Rank = "paid" | "behind" | "unpaid"

/** Everything that a call passes to upstream requests made on its behalf. */
interface CallContext {
  /** Epoch milliseconds after which nobody waits for an upstream. */
  readonly deadline: number
  readonly rank: Rank
}

/**
 * The one FiberRef of the core. It is set by the gateway and read by `adapters/upstream` alone. In between lie every
 * lane, every port and every provider, none of which does anything with it: as a parameter or a requirement it would be
 * in all of their signatures. It changes when an answer comes, never which.
 *
 * This value is that of jobs, which have no deadline.
 */
const current = FiberRef.unsafeMake<CallContext>({ deadline: Number.POSITIVE_INFINITY, rank: "behind" })

/**
 * Runs what a call needs for its answer under its deadline and rank.
 *
 * @param startedAt of the call, epoch milliseconds
 */
export const within = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  startedAt: number,
  rank: Rank = "paid",
): Effect.Effect<A, E, R> => Effect.locally(answer, current, { deadline: startedAt + upstreamDeadlineMs, rank })

/** Whose turn it is to ask an upstream. */
export const rank: Effect.Effect<Rank> = Effect.map(FiberRef.get(current), (found) => found.rank)

/** Runs `long` until the deadline, then interrupts it and runs `late`. */
export const wait = <A, E>(long: Effect.Effect<A, E>, late: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const { deadline } = yield* FiberRef.get(current)
    if (deadline === Number.POSITIVE_INFINITY) return yield* long
    const now = yield* Clock.currentTimeMillis
    const found = yield* Effect.timeoutOption(long, Math.max(1, deadline - now))
    return Option.isSome(found) ? found.value : yield* late()
  })

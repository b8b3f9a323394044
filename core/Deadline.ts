import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"

/**
 * How long a call waits for upstreams, over all its questions and their repetitions, milliseconds. Transports wait longer
 * for an answer, so that an upstream that hangs is told as what it is, and by when to try again.
 */
export const patienceMs = 20_000

/**
 * Whose turn it is first where an upstream is asked: that of a call that pays for its answer. A job, and a call that may
 * turn out to be free, come behind; what is free for certain has a place of its own and takes none of theirs.
 */
export type Rank = "paid" | "behind" | "unpaid"

/** What an upstream has to know of whoever waits for it. */
interface Asking {
  /** Until when it waits, epoch milliseconds. */
  readonly until: number
  readonly rank: Rank
}

/** Jobs have no end of their own. */
const asking = FiberRef.unsafeMake<Asking>({ until: Number.POSITIVE_INFINITY, rank: "behind" })

/** Makes an answer within the patience of a call that began then, epoch milliseconds. */
export const within = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  startedAt: number,
  rank: Rank = "paid",
): Effect.Effect<A, E, R> => Effect.locally(answer, asking, { until: startedAt + patienceMs, rank })

/** Whose turn it is to ask an upstream. */
export const rank: Effect.Effect<Rank> = Effect.map(FiberRef.get(asking), (found) => found.rank)

/** Waits for what may take long, as long as the call may, and makes do with `late` then; what takes long is interrupted. */
export const wait = <A, E>(long: Effect.Effect<A, E>, late: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(FiberRef.get(asking), ({ until: end }) => {
    if (end === Number.POSITIVE_INFINITY) return long
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.flatMap(
        Effect.timeoutOption(long, Math.max(1, end - now)),
        Option.match({ onNone: late, onSome: Effect.succeed }),
      ),
    )
  })

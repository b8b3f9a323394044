import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"

/**
 * How long a call waits for upstreams, over all its questions and their repetitions, milliseconds. Transports wait longer
 * for an answer, so that an upstream that hangs is told as what it is, and by when to try again.
 */
export const patienceMs = 20_000

/** Until when (epoch milliseconds) the call that runs here waits. Jobs have no such end. */
const until = FiberRef.unsafeMake(Number.POSITIVE_INFINITY)

/** Makes an answer within the patience of a call that began then, epoch milliseconds. */
export const within = <A, E, R>(answer: Effect.Effect<A, E, R>, startedAt: number): Effect.Effect<A, E, R> =>
  Effect.locally(answer, until, startedAt + patienceMs)

/** Waits for what may take long, as long as the call may, and makes do with `late` then; what takes long is interrupted. */
export const wait = <A, E>(long: Effect.Effect<A, E>, late: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(FiberRef.get(until), (end) => {
    if (end === Number.POSITIVE_INFINITY) return long
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.flatMap(
        Effect.timeoutOption(long, Math.max(1, end - now)),
        Option.match({ onNone: late, onSome: Effect.succeed }),
      ),
    )
  })

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * A call's deadline for all its upstream requests, retries included, ms after its start. Transports wait longer for an
 * answer, so that an upstream that hangs is reported as `upstream_unavailable`, with `retry_after_ms`.
 */
export const upstreamDeadlineMs = 9_000

/**
 * Priority of an upstream request. `paid`: first, for a call that is charged. `behind`: next, for jobs and for calls that
 * may be free. `unpaid`: for calls that are certainly free; they have slots of their own.
 */
export type Rank = "paid" | "behind" | "unpaid"

/**
 * Deadline and rank of a call's upstream requests. The gateway sets them, `adapters/runtime/upstream` alone reads them. As a
 * parameter they would be in the signatures of all lanes, ports and providers, which do not use them. They change the time
 * of an answer, not its content.
 *
 * The default is for jobs, which have no deadline.
 */
export class CallContext extends Context.Reference<CallContext>()("market-signals/core/CallContext", {
  defaultValue: (): {
    /** Epoch milliseconds at which the call stops waiting for upstreams. */
    readonly deadline: number
    readonly rank: Rank
  } => ({ deadline: Number.POSITIVE_INFINITY, rank: "behind" }),
}) {}

/**
 * Runs a call's lane under the call's deadline and rank.
 *
 * @param startedAt of the call, epoch milliseconds
 */
export const within = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  startedAt: number,
  rank: Rank = "paid",
): Effect.Effect<A, E, R> =>
  Effect.provideService(answer, CallContext, { deadline: startedAt + upstreamDeadlineMs, rank }) as Effect.Effect<
    A,
    E,
    R
  >

/** The rank of the current call or job. */
export const rank: Effect.Effect<Rank> = Effect.map(CallContext, (found) => found.rank)

/** Runs `long` until the call's deadline, then interrupts it and runs `late`. Jobs have no deadline. */
export const wait = <A, E>(long: Effect.Effect<A, E>, late: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const { deadline } = yield* CallContext
    if (deadline === Number.POSITIVE_INFINITY) return yield* long
    const now = yield* Clock.currentTimeMillis
    const result = yield* Effect.timeoutOption(long, Math.max(1, deadline - now))
    return Option.isSome(result) ? result.value : yield* late()
  })

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../Failure.ts"
import { minute } from "../time.ts"
import type { Due } from "./Due.ts"
import { Feeds } from "./Feeds.ts"

/** Why a source was not read, with its adapter's message. */
const describeFailure = ({ message, cause }: Failure): string =>
  cause instanceof Error && cause.message !== message ? `${message} ${cause.message}` : message

/** Reasons of a failure's cause for which a request is not sent: our own limits, and pauses. */
const notSentReasons: ReadonlySet<unknown> = new Set(["busy", "paused", "throttled"])

export const isNotSent = ({ cause }: Failure): boolean =>
  typeof cause === "object" && cause !== null && "reason" in cause && notSentReasons.has(cause.reason)

/** Reports the outcome of a read that a call caused, and passes the outcome on. */
export type Report = <A>(
  feed: Due,
  read: Effect.Effect<A, Failure>,
  /** Why the read data is not all that is due; undefined: it is. */
  lacking?: (read: A, at: number) => string | undefined,
) => Effect.Effect<A, Failure>

/**
 * Reports reads that calls cause: an attempt is written when its outcome differs from the last one, or after a minute. A
 * `not_found` is an answer of the source; a request that was not sent is no attempt.
 */
export const onCalls: Effect.Effect<Report, never, Feeds> = Effect.map(Feeds, ({ attempted }) => {
  const written = new Map<string, { readonly at: number; readonly refusal: string | undefined }>()
  return (feed, read, lacking = () => undefined) =>
    Effect.gen(function* () {
      const result = yield* Effect.either(read)
      if (Either.isLeft(result) && isNotSent(result.left)) return yield* result
      const now = yield* Clock.currentTimeMillis
      const refusal = Either.match(result, {
        onLeft: (failure) => (failure.code === "not_found" ? undefined : describeFailure(failure)),
        onRight: (data) => lacking(data, now),
      })
      const last = written.get(feed.name)
      if (last === undefined || last.refusal !== refusal || now - last.at >= minute) {
        written.set(feed.name, { at: now, refusal })
        yield* attempted([{ feed, at: now, ...(refusal !== undefined && { refusal }) }])
      }
      return yield* result
    })
})

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { minute } from "../../../core/time.ts"

/** A value that is older is not shown while the next one is read. */
const oldest = 10 * minute

/** How long a reader waits where there is no value yet; then the page comes without it. */
const wait = "1 second"

/**
 * The last value read, at most once a minute, in a fiber of its own, so that no reader waits for a slow source. Undefined
 * after a failed read, also one that is a bug: the rest of the page needs none.
 *
 * @param name of the value, for the log
 */
export const latest = <A>(
  name: string,
  read: Effect.Effect<A | undefined, unknown>,
): Effect.Effect<Effect.Effect<A | undefined>> => {
  let shown: A | undefined
  let until = 0
  const show = (value: A | undefined) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      shown = value
      until = now + oldest
    })
  const reading = Effect.flatMap(read, show).pipe(
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        show(undefined),
        // A stop of the process interrupts the read, which is no failure.
        Effect.unless(Effect.logWarning(`${name} could not be read`, cause), () => Cause.isInterruptedOnly(cause)),
      ),
    ),
  )
  return Effect.map(Effect.cachedWithTTL(Effect.forkDaemon(reading), "1 minute"), (begun) =>
    Effect.gen(function* () {
      const fiber = yield* begun
      // A request may run uninterruptible, and a wait that cannot be interrupted has no time-out.
      if (shown === undefined || (yield* Clock.currentTimeMillis) > until) {
        shown = undefined
        yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), wait)
      }
      return shown
    }),
  )
}

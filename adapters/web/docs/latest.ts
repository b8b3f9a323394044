import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** A reader waits this long for the first value of a process, whose sums may take seconds; then the page comes without. */
const firstWait = "3 seconds"

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
  const show = (value: A | undefined) =>
    Effect.sync(() => {
      shown = value
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
      if (shown === undefined) yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), firstWait)
      return shown
    }),
  )
}
